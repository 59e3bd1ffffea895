-- The level of one index at one tick, as a session's as_of knows it.
--
-- params   $index_id  VARCHAR   idx_...
--          $tick_at   VARCHAR   the tick's instant
-- returns  0 or 1 row: level, quality_state, revision, correction_reason, published_at
select level, quality_state, revision, correction_reason, published_at
from index_observation
where index_id = $index_id
  and tick_at = $tick_at::timestamptz;
