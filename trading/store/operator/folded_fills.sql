-- Fold of all accounts' fills up to an instant, one row an outcome, for operators.
-- params: $1 instant
-- returns: market_id, outcome_id, trades (those that still have a quantity), volume_of_both_sides and the market's terms
-- rule: the two fills of a trade have the same quantity, so volume is half of their sum; adjustments count from their publication
WITH corrected AS (
  SELECT fill.trade_id, fill.account_id, fill.market_id, fill.outcome_id, fill.side,
         fill.quantity + coalesce((SELECT sum(quantity_delta) FROM trading.adjustment
                                    WHERE adjustment.fill_id = fill.fill_id AND adjustment.published_at <= $1::timestamptz), 0) AS quantity
    FROM trading.fill
   WHERE fill.at <= $1::timestamptz
), traded AS (
  SELECT market_id, outcome_id, count(DISTINCT trade_id) AS trades, sum(quantity)::bigint AS sides
    FROM corrected WHERE quantity <> 0 GROUP BY market_id, outcome_id
)
SELECT market_id, outcome_id, trades::int AS trades, sides AS volume_of_both_sides,
       market.terms
  FROM traded JOIN trading.market USING (market_id)
 ORDER BY market_id, outcome_id
