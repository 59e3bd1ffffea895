-- The index of an observation.
--
-- params   $observation_id  VARCHAR   iob_...
-- returns  0 or 1 row
select index_id
from index_observation_history
where observation_id = $observation_id;
