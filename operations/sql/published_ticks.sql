-- Published ticks of some indexes, with the instants of their calculation.
--
-- params   $index_ids   VARCHAR[]    idx_...
--          $from, $to   TIMESTAMPTZ  tick_at in [$from, $to)
-- returns  one row a tick: its current observation (methodology §14)
select index_id, tick_at, calculated_at
from index_observation
where index_id in (select unnest($index_ids))
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz;
