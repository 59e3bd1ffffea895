-- Tables of the trading schema whose rows survive a crash, with their columns; referenced ones come first.
--
-- returns  table_name, columns (names in the order of the table), key (names of the primary key, in its order; null: none)
-- rule     an unlogged table is empty after a crash, and the service is correct then: so it is not kept
SELECT
  c.relname AS table_name,
  (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute AS a
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT json_agg(a.attname ORDER BY k.place) FROM pg_index AS i
   CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k (attnum, place)
   JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.attnum
   WHERE i.indrelid = c.oid AND i.indisprimary) AS key
FROM pg_class AS c
WHERE c.relnamespace = 'trading'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
ORDER BY EXISTS (SELECT FROM pg_constraint AS f WHERE f.conrelid = c.oid AND f.contype = 'f'), c.relname;
