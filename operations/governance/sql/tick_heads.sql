-- Newest levels of some ticks of one index.
--
-- params   $index_id  VARCHAR    idx_...
--          $ticks     VARCHAR[]  instants
-- returns  one row a tick that has a level, in no order
select tick_at, observation_id
from index_observation
where index_id = $index_id
  and tick_at in (select unnest($ticks)::timestamptz);
