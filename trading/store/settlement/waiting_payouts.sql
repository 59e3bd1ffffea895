-- Positions whose settlements hold up the payout of a final resolution, the oldest resolution first.
-- params: $1 at most
-- returns: market_id, resolution_id, finalized_at, account_id, outcome_id, open_settlements, holds_up: position or market
SELECT resolution.market_id, resolution_id, finalized_at, account_id, outcome_id, open_settlements,
       CASE WHEN (market.terms->>'complementary')::boolean THEN 'market' ELSE 'position' END AS holds_up
  FROM trading.resolution
  JOIN trading.market ON market.market_id = resolution.market_id
  JOIN trading.position ON position.market_id = resolution.market_id AND open_settlements > 0
 WHERE finality = 'final' AND paid_at IS NULL
 ORDER BY finalized_at, market_id, account_id, outcome_id
 LIMIT $1
