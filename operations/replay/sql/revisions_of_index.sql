-- Every visible revision of the ticks of one index that were published more than once, without their inputs.
--
-- params   $index_id  VARCHAR       idx_...
--          $from      TIMESTAMPTZ   inclusive
--          $to        TIMESTAMPTZ   exclusive
-- returns  ascending by tick, then revision; a tick with one revision has no row
-- rule     methodology §13: a correction is a record of its own with the next revision and a reason
select
  observation_id,
  tick_at,
  revision,
  level,
  quality_state,
  underlying_quality_state,
  correction_reason,
  published_at
from index_observation_history
where index_id = $index_id
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz
qualify count(*) over (partition by tick_at) > 1
order by tick_at, revision;
