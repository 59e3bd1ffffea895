-- Traded volume of some markets per UTC day, in units of the settlement asset.
--
-- params   $market_ids  VARCHAR[]     mkt_...
--          $from, $to   TIMESTAMPTZ   half-open
-- returns  one row a market and day with trades; volume DECIMAL(38,15), exact
-- exact    price has scale 9 and quantity 6: the product has scale 15 and 23 integer digits, far above any volume
select
  market_id,
  source_at::date as trade_day,
  sum(price::decimal(19, 9) * quantity::decimal(19, 6)) as volume
from public_trade
where market_id in (select unnest($market_ids))
  and source_at >= $from::timestamptz
  and source_at < $to::timestamptz
  and correction_kind is distinct from 'void'
group by market_id, trade_day
order by market_id, trade_day;
