-- Stored revisions of quotes that an archive may repeat: what decides duplicate, conflict and the next revision.
--
-- params   $venue_ids  list of VARCHAR
--          $from, $to  VARCHAR, source instants, both inclusive
-- returns  one row a stored revision, any order
-- rule     every visible revision counts, not only the current one: a late row takes the next number of its chain
select
  record_id, revision, venue_id, source_series_id, outcome_id, source_at, received_at,
  coalesce(is_final, false) as is_final, raw_value, reported_probability,
  bid, ask, bid_depth, ask_depth, last_trade, last_trade_at
from market_quote_history
where venue_id in (select unnest($venue_ids))
  and source_at >= $from::timestamptz
  and source_at <= $to::timestamptz;
