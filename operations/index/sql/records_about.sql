-- Tests for a record of some markets with a source instant up to an instant.
--
-- params   $market_ids  VARCHAR[]    mkt_...
--          $through     TIMESTAMPTZ  inclusive
-- returns  one row, or none
select market_id
from (
  select market_id, source_at from market_quote_history
  union all
  select market_id, source_at from market_resolution_history
  union all
  select market_id, source_at from market_history
  union all
  select market_id, source_at from public_trade_history
)
where market_id in (select unnest($market_ids))
  and source_at <= $through::timestamptz
limit 1;
