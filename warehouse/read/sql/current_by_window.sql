-- Current row of every correction chain of one table: the definition, computed from the log's files alone.
--
-- template  {{columns}}  the table's columns
--           {{visible}}  relation of all visible rows (rows_visible.sql)
--           {{chain}}    columns that identify a chain; a null one is a value of its own, equal to itself
--           {{newest}}   the current key, every column descending, ended by published_at and row_ordinal
-- rule      current(T) = per chain the row with the greatest current key among known(T) (methodology §14)
-- test      test/warehouse/read/current.test.ts holds this, the interval form and a TypeScript oracle together
(
  select {{columns}}
  from {{visible}}
  qualify row_number() over (partition by {{chain}} order by {{newest}}) = 1
)
