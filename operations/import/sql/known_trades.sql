-- Stored reports of trades that an archive may repeat.
--
-- params   $market_ids  list of VARCHAR
-- returns  one row a stored revision, any order
-- rule     every report of these markets: a correction may move a trade's own source instant, so instants bound nothing
select
  trade_id, revision, venue_id, source_market_id, source_trade_id, outcome_id, price, quantity,
  aggressor_side, correction_kind, source_at, received_at
from public_trade_history
where market_id in (select unnest($market_ids));
