-- The last tick of an index that has an observation.
--
-- params   $index_id  VARCHAR   idx_...
-- returns  one row; tick_at null when there is none
select max(tick_at) as tick_at
from index_observation
where index_id = $index_id;
