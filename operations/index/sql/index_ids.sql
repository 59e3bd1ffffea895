-- Ids of every visible index.
--
-- returns  one row an index, ascending
select index_id
from index_definition
order by index_id;
