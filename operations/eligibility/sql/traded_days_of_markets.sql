-- Traded volume of markets per UTC day, in units of the settlement asset, and their first trade.
--
-- params   $from, $to   TIMESTAMPTZ   half-open
-- returns  one row a market with a trade before $to: first_at, and volumes, one a day of the window with trades
-- rule     a market without any trade has no row: whether its tape is known is not known
-- exact    price has scale 9 and quantity 6: the product has scale 15
with days as (
  select
    market_id,
    source_at::date as trade_day,
    min(source_at) as first_at,
    sum(price::decimal(19, 9) * quantity::decimal(19, 6)) as volume
  from public_trade
  where source_at < $to::timestamptz and correction_kind is distinct from 'void'
  group by market_id, trade_day
)
select
  market_id,
  min(first_at) as first_at,
  list(volume order by trade_day) filter (trade_day >= $from::date) as volumes
from days
group by market_id;
