-- Named levels of an index with their inputs.
--
-- params   $index_id         VARCHAR     idx_...
--          $observation_ids  VARCHAR[]   iob_...
-- returns  one row a level, unordered
select *
from index_observation_history
where index_id = $index_id
  and observation_id in (select unnest($observation_ids));
