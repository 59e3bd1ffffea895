-- Volume a day of every market, in the venue's own asset.
--
-- params   $from, $cutoff  TIMESTAMPTZ   half-open; days of 24 hours end at the cutoff
-- returns  one row a market and origin: `venue` the venue's own 24-hour volumes, the last of each day, `tape` the trades;
--          volume the median of the days that are known, days, last_at
-- rule     a day without a statement or a trade is unknown, not zero
-- exact    price (18,9) x quantity (18,6) summed as (38,15); a median of an even count is the mean of the two middle ones
with stated as (
  select
    market_id,
    time_bucket(interval '24 hours', source_at, $cutoff::timestamptz) as day,
    arg_max(volume_24h, (source_at, received_at, revision))::decimal(38, 15) as volume,
    max(source_at) as last_at
  from market_metric_history
  where source_at >= $from::timestamptz and source_at < $cutoff::timestamptz and received_at <= $cutoff::timestamptz
    and volume_24h is not null
  group by market_id, day
),
trades as (
  select market_id, source_at, price, quantity, correction_kind
  from public_trade_history
  where source_at >= $from::timestamptz and source_at < $cutoff::timestamptz and received_at <= $cutoff::timestamptz
  qualify row_number() over (
    partition by venue_id, source_market_id, source_trade_id order by received_at desc, revision desc
  ) = 1
),
traded as (
  select
    market_id,
    time_bucket(interval '24 hours', source_at, $cutoff::timestamptz) as day,
    sum(price::decimal(19, 9) * quantity::decimal(19, 6)) as volume,
    max(source_at) as last_at
  from trades
  where correction_kind is distinct from 'void'
  group by market_id, day
),
days as (
  select 'venue' as origin, * from stated
  union all
  select 'tape' as origin, * from traded
)
select
  market_id,
  origin,
  (quantile_disc(volume, 0.5) - quantile_disc(-volume, 0.5)) * 0.5 as volume,
  count(*) as days,
  max(last_at) as last_at
from days
group by market_id, origin;
