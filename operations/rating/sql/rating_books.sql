-- Depth and cost to move of every market's books, by days of 24 hours that end at the cutoff.
--
-- params   $from, $cutoff  TIMESTAMPTZ   half-open [from, cutoff); a book counts that was received at or before the cutoff
--          $depth, $move   DECIMAL       distances from the middle, in price
--          $cost_days      INTEGER       so many of the last days with books make the cost
-- returns  one row a market: depth the median over all books, cost the median of the last days' medians, both in the venue's own
--          asset; books, days with books and last_at
-- rule     depth: sum of price x quantity within $depth of the middle, both sides; cost: the smaller of buying every ask below
--          middle + $move at its price and selling into every bid above middle - $move at 1 - price (rating methodology §7)
-- exact    price (19,9) x quantity (19,6) = (38,15), where DECIMAL(18) would overflow; a median of an even count is the mean of the two middle ones
with books as (
  select
    market_id, venue_id, source_market_id, outcome_id, source_at, received_at, revision, bids, asks,
    ((bids[1].price + asks[1].price) * 0.5)::decimal(18, 9) as middle
  from order_book_history
  where source_at >= $from::timestamptz and source_at < $cutoff::timestamptz and received_at <= $cutoff::timestamptz
    and price_unit = 'probability' and bids[1].price < asks[1].price
),
measured as (
  select
    market_id,
    time_bucket(interval '24 hours', source_at, $cutoff::timestamptz) as day,
    source_at,
    coalesce(list_sum(list_transform(
      list_filter(bids, lambda l: l.price >= middle - $depth::decimal(18, 9)), lambda l: l.price::decimal(19, 9) * l.quantity::decimal(19, 6)
    )), 0) as bid_side,
    coalesce(list_sum(list_transform(
      list_filter(asks, lambda l: l.price <= middle + $depth::decimal(18, 9)), lambda l: l.price::decimal(19, 9) * l.quantity::decimal(19, 6)
    )), 0) as ask_side,
    coalesce(list_sum(list_transform(
      list_filter(asks, lambda l: l.price < middle + $move::decimal(18, 9)), lambda l: l.price::decimal(19, 9) * l.quantity::decimal(19, 6)
    )), 0) as buying,
    coalesce(list_sum(list_transform(
      list_filter(bids, lambda l: l.price > middle - $move::decimal(18, 9)), lambda l: (1 - l.price)::decimal(19, 9) * l.quantity::decimal(19, 6)
    )), 0) as selling
  from books
  qualify row_number() over (
    partition by venue_id, source_market_id, outcome_id, source_at order by received_at desc, revision desc
  ) = 1
),
per_book as (
  select market_id, day, source_at, bid_side + ask_side as depth, least(buying, selling) as cost
  from measured
),
per_day as (
  select
    market_id, day,
    (quantile_disc(cost, 0.5) - quantile_disc(-cost, 0.5)) * 0.5 as cost,
    row_number() over (partition by market_id order by day desc) as back
  from per_book
  group by market_id, day
),
costs as (
  select market_id, (quantile_disc(cost, 0.5) - quantile_disc(-cost, 0.5)) * 0.5 as cost, count(*) as cost_days
  from per_day
  where back <= $cost_days
  group by market_id
),
depths as (
  select
    market_id,
    (quantile_disc(depth, 0.5) - quantile_disc(-depth, 0.5)) * 0.5 as depth,
    count(*) as books,
    max(source_at) as last_at
  from per_book
  group by market_id
)
select market_id, d.depth, d.books, d.last_at, c.cost, c.cost_days
from depths as d
join costs as c using (market_id);
