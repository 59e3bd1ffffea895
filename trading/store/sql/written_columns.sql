-- Columns of the trading tables in order, with their types, and whether they are instants.
--
-- returns  table_name, column_name, udt_name, is_instant
SELECT table_name, column_name, udt_name, udt_name = 'timestamptz' AS is_instant
FROM information_schema.columns
WHERE table_schema = 'trading'
ORDER BY table_name, ordinal_position;
