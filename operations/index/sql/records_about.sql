-- Tests for a record of some markets with a source instant up to an instant, published after what each table had.
--
-- params   $market_ids  VARCHAR[]    mkt_...
--          $through     TIMESTAMPTZ  inclusive
--          $market_quote_after, $market_resolution_after, $market_after, $public_trade_after  TIMESTAMPTZ  exclusive; null: all
-- returns  one row, or none
select market_id
from (
  select market_id, source_at, published_at > coalesce($market_quote_after::timestamptz, '-infinity') as is_later
  from market_quote_history
  union all
  select market_id, source_at, published_at > coalesce($market_resolution_after::timestamptz, '-infinity')
  from market_resolution_history
  union all
  select market_id, source_at, published_at > coalesce($market_after::timestamptz, '-infinity') from market_history
  union all
  select market_id, source_at, published_at > coalesce($public_trade_after::timestamptz, '-infinity')
  from public_trade_history
)
where is_later
  and market_id in (select unnest($market_ids))
  and source_at <= $through::timestamptz
limit 1;
