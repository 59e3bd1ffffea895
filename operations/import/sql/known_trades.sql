-- Stored reports of the trades in an archive, and of trades with equal terms, which another feed may have reported.
--
-- params   $market_ids, $source_trade_ids  list of VARCHAR
--          $outcome_ids, $prices, $quantities  list of VARCHAR: terms of trades, one trade at each index
--          $from, $to  TIMESTAMPTZ: source instants between which a trade with equal terms counts, both inclusive
-- returns  one row a stored revision, in the order of publication; a trade that only shares its id with one of another market
--          may be among them
-- rule     every report of a trade id: a correction may move its source instant, so instants bound nothing
with terms as (
  select distinct
    unnest($outcome_ids) as outcome_id,
    unnest($prices)::decimal(18, 9) as price,
    unnest($quantities)::decimal(18, 6) as quantity
)
select
  t.trade_id, t.revision, t.venue_id, t.source_market_id, t.source_trade_id, t.first_source_trade_id, t.outcome_id, t.price,
  t.quantity, t.aggressor_side, t.correction_kind, t.source_at, t.received_at
from trade_report_history as t
left join terms using (outcome_id, price, quantity)
where t.market_id in (select unnest($market_ids))
  and (
    t.source_trade_id in (select unnest($source_trade_ids))
    or (terms.outcome_id is not null and t.source_at between $from::timestamptz and $to::timestamptz)
  )
order by t.published_at, t.row_ordinal;
