-- Current public trades of some markets; a trade whose current record voids it is left out.
--
-- template {{counted_from}}  counted_from.sql
-- params   $market_ids  VARCHAR[]   mkt_...
--          and those of counted_from.sql
--          $trades_from, $trades_to TIMESTAMPTZ  source_at in [$trades_from, $trades_to)
-- returns  one row a trade, ascending by time
select
  trade_id,
  market_id,
  outcome_id,
  coalesce(source_series_id, '') as source_series_id,
  price,
  quantity,
  source_at,
  received_at,
  {{counted_from}} as known_at
from public_trade
where market_id in (select unnest($market_ids))
  and source_at >= $trades_from::timestamptz
  and source_at < $trades_to::timestamptz
  and correction_kind is distinct from 'void'
order by market_id, outcome_id, source_at, received_at, trade_id;
