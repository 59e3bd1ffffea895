-- Resolutions of a market, newest revision first.
-- params: $1 market_id
-- returns: resolution_id, market_id, revision, verdict, finality, payouts, dispute, dispute_window_ends_at, paid_count, paid_at
SELECT resolution_id, market_id, revision, verdict, finality, payouts, dispute, dispute_window_ends_at, paid_count, paid_at
  FROM trading.resolution
 WHERE market_id = $1
 ORDER BY revision DESC
