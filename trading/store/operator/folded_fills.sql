-- Fold of all accounts' fills up to an instant, one row an outcome, for operators.
-- params: $1 instant
-- returns: market_id, outcome_id, trades (those that still have a quantity), volume and the market's terms
-- rule: a trade has the outcome and quantity of its taker's fill, as adjusted while both sides were equal (view adjusted_trade);
--       in a complementary market both sides may have bought, or sold
WITH bounds AS (
  SELECT coalesce((SELECT b.last_engine_sequence FROM trading.engine_batch b WHERE b.at <= $1::timestamptz ORDER BY b.at DESC LIMIT 1), 0) AS upto
), adjusted AS (
  SELECT DISTINCT ON (trade_id) trade_id, quantity_delta
    FROM trading.adjusted_trade
   WHERE engine_sequence <= (SELECT upto FROM bounds)
   ORDER BY trade_id, engine_sequence DESC
), traded AS (
  SELECT market_id, outcome_id, quantity + coalesce(quantity_delta, 0) AS quantity
    FROM trading.fill LEFT JOIN adjusted USING (trade_id)
   WHERE liquidity_role = 'taker' AND engine_sequence <= (SELECT upto FROM bounds)
), summed AS (
  SELECT market_id, outcome_id, count(*) AS trades, sum(quantity)::bigint AS volume
    FROM traded WHERE quantity <> 0 GROUP BY market_id, outcome_id
)
SELECT market_id, outcome_id, trades::int AS trades, volume, market.terms
  FROM summed JOIN trading.market USING (market_id)
 ORDER BY market_id, outcome_id
