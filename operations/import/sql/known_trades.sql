-- Stored reports of trades that an archive may repeat.
--
-- params   $venue_ids  list of VARCHAR
--          $from, $to  VARCHAR, source instants, both inclusive
-- returns  one row a stored revision, any order
-- rule     a correction may move a trade's own source instant, so chains are found by any of their revisions
select
  trade_id, revision, venue_id, source_market_id, source_trade_id, outcome_id, price, quantity,
  aggressor_side, correction_kind, source_at, received_at
from public_trade_history
where list_contains($venue_ids, venue_id)
  and source_trade_id in (
    select source_trade_id
    from public_trade_history
    where list_contains($venue_ids, venue_id)
      and source_at >= $from::timestamptz
      and source_at <= $to::timestamptz
  );
