-- Markets with a market record or a resolution published in a time range.
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
