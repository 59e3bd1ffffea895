-- Current levels of one index with ticks in a half-open range, without inputs and lists: what a long series is compared with.
--
-- params   $index_id  VARCHAR       idx_...
--          $from      TIMESTAMPTZ   inclusive
--          $to        TIMESTAMPTZ   exclusive
-- returns  one row a tick, ascending
-- rule     current(T) of methodology §14: the greatest revision of each (index_id, tick_at)
select
  observation_id,
  tick_at,
  revision,
  level,
  quality_state,
  underlying_quality_state,
  correction_reason,
  published_at
from index_observation
where index_id = $index_id
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz
order by tick_at;
