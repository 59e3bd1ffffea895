-- Current observations that may fall into candles of a half-open range.
--
-- params   $index_id  VARCHAR       idx_...
--          $from      TIMESTAMPTZ   inclusive
--          $to        TIMESTAMPTZ   exclusive
-- returns  one row a tick; a stale row is of its tick, though its source_cutoff_at may lie before the range
-- rule     methodology §15: priced rows are bucketed by source_cutoff_at, others by tick_at
select
  tick_at,
  source_cutoff_at,
  level,
  quality_state,
  coverage_ratio,
  methodology_version,
  published_at,
  row_ordinal
from index_observation
where index_id = $index_id
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz
order by tick_at;
