-- Markets of which something was recorded in a stretch of time: a market record or a resolution.
--
-- params   $after, $through  TIMESTAMPTZ  published_at in ($after, $through]
-- returns  market_id, each once
select distinct market_id
from (
  select market_id, published_at from market_history
  union all
  select market_id, published_at from market_resolution_history
)
where published_at > $after::timestamptz
  and published_at <= $through::timestamptz;
