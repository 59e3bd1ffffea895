-- Every visible revision of every observation of an index, with its inputs.
--
-- params   $index_id  VARCHAR   idx_...
-- returns  ascending by tick, then revision
select *
from index_observation_history
where index_id = $index_id
order by tick_at, revision;
