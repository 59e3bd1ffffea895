-- Hash of each row that is known, and whether it is the current one of its chain.
--
-- template  {{visible}}  known(T) of one table
--           {{text}}     text of a row
--           {{chain}}    columns that identify a chain; a null one is a value of its own, equal to itself
--           {{newest}}   the current key, every column descending
-- returns   row_sha256, is_current
-- rule      current(T) as current_by_window.sql defines it; the hash is made first, so that the window holds no wide rows
select
  row_sha256,
  row_number() over (partition by {{chain}} order by {{newest}}) = 1 as is_current
from (select *, sha256({{text}}) as row_sha256 from {{visible}})
