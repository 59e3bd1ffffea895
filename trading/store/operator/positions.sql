-- Nonzero positions of an account, for operators.
-- params: $1 account_id
-- returns: market_id, outcome_id, net_quantity, average_entry_price, realized_pnl, and the market's terms
SELECT position.market_id, outcome_id, net_quantity, average_entry_price, realized_pnl, market.terms
  FROM trading.position JOIN trading.market USING (market_id)
 WHERE account_id = $1 AND (net_quantity <> 0 OR realized_pnl <> 0)
 ORDER BY market_id, outcome_id
