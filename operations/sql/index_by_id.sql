-- The current record of one index.
--
-- params   $index_id  VARCHAR   idx_...
-- returns  0 or 1 row
select *
from index_definition
where index_id = $index_id;
