-- Every object of the schema trading with its definition, in a fixed order.
--
-- returns  kind, name, definition
WITH columns AS (
  SELECT attrelid, attnum, '  ' || attname || ' ' || format_type(atttypid, atttypmod)
         || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
         || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS line
  FROM pg_attribute
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
), described AS (
  SELECT 1 AS place, 'table' AS kind, relname::text AS name,
         'CREATE' || CASE relpersistence WHEN 'u' THEN ' UNLOGGED' ELSE '' END || ' TABLE trading.' || relname || E' (\n'
         || (SELECT string_agg(line, E',\n' ORDER BY attnum) FROM columns WHERE attrelid = pg_class.oid) || E'\n)'
         || coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', '') || ';' AS definition
  FROM pg_class
  WHERE relnamespace = 'trading'::regnamespace AND relkind = 'r'
  UNION ALL
  -- Servers print the query of a view in different ways: its columns are enough.
  SELECT 1, 'view', relname::text,
         'VIEW trading.' || relname || E' (\n'
         || (SELECT string_agg(line, E',\n' ORDER BY attnum) FROM columns WHERE attrelid = pg_class.oid) || E'\n)'
  FROM pg_class
  WHERE relnamespace = 'trading'::regnamespace AND relkind = 'v'
  UNION ALL
  -- NOT NULL is a constraint of its own in newer servers; the columns tell it.
  SELECT 2, 'constraint', conrelid::regclass::text || ' ' || conname, pg_get_constraintdef(oid) || ';'
  FROM pg_constraint
  WHERE connamespace = 'trading'::regnamespace AND contype <> 'n'
  UNION ALL
  SELECT 3, 'index', indexname::text, indexdef || ';'
  FROM pg_indexes
  WHERE schemaname = 'trading'
  UNION ALL
  SELECT 4, 'trigger', tgrelid::regclass::text || ' ' || tgname, pg_get_triggerdef(pg_trigger.oid) || ';'
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = 'trading'::regnamespace AND NOT tgisinternal
  UNION ALL
  SELECT 5, 'function', proname::text, pg_get_functiondef(oid) || ';'
  FROM pg_proc
  WHERE pronamespace = 'trading'::regnamespace
)
SELECT kind, name, definition FROM described ORDER BY place, name COLLATE "C";
