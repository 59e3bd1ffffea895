-- Stored reports of the trades in an archive.
--
-- params   $market_ids, $source_trade_ids  list of VARCHAR
-- returns  one row a stored revision, any order; a trade that only shares its id with one of another market may be among them
-- rule     every report of a trade: a correction may move its source instant, so instants bound nothing
select
  trade_id, revision, venue_id, source_market_id, source_trade_id, outcome_id, price, quantity,
  aggressor_side, correction_kind, source_at, received_at
from public_trade_history
where market_id in (select unnest($market_ids))
  and source_trade_id in (select unnest($source_trade_ids));
