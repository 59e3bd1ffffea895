-- Current observations of one index with ticks in a half-open range, without their inputs.
--
-- params   $index_id  VARCHAR       idx_...
--          $from      TIMESTAMPTZ   inclusive
--          $to        TIMESTAMPTZ   exclusive
-- returns  one row a tick, ascending
-- rule     current(T) of methodology §14: the greatest revision of each (index_id, tick_at)
select * exclude (inputs)
from index_observation
where index_id = $index_id
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz
order by tick_at;
