-- The current record of every index.
--
-- returns  one row an index, ascending
select *
from index_definition
order by index_id;
