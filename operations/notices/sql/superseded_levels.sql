-- Levels by their ids, of some ticks.
--
-- params   $ids  VARCHAR[]  ids of levels
--          $tick_from, $tick_to  TIMESTAMPTZ  first and last tick of them
-- returns  observation_id and level
select observation_id, level
from index_observation_history
where tick_at between $tick_from::timestamptz and $tick_to::timestamptz
  and observation_id in (select unnest($ids));
