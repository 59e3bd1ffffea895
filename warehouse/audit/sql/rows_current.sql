-- Hash of each current row of one table, for comparison with rows_flagged.sql.
--
-- template  {{current}}  current(T) of one table
--           {{text}}     text of a row
-- returns   row_sha256, is_current
select sha256({{text}}) as row_sha256, true as is_current
from {{current}}
