-- O12  A public trade equals both of its fills after adjustments. If adjustments leave both sides with the same quantity,
-- the last correction has it; with quantity 0 the trade is void.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     in a complementary market a side in the other outcome counts at 1 less its price
WITH side AS (
  SELECT trade_id, fill_id, fill.quantity + coalesce(sum(quantity_delta), 0) AS quantity,
         fill.notional + coalesce(sum(notional_delta), 0) AS notional, fill.market_id, fill.outcome_id
  FROM trading.fill LEFT JOIN trading.adjustment USING (fill_id)
  WHERE trade_id IN (SELECT trade_id FROM trading.fill JOIN trading.adjustment USING (fill_id))
  GROUP BY trade_id, fill_id, fill.quantity, fill.notional, fill.market_id, fill.outcome_id
), worth AS (
  SELECT side.trade_id, side.quantity,
         CASE WHEN side.outcome_id = trade.outcome_id THEN notional
              ELSE side.quantity * (terms ->> 'one')::bigint * (terms ->> 'unit')::bigint - notional END AS notional
  FROM side JOIN trading.trade USING (trade_id) JOIN trading.market ON market.market_id = side.market_id
), of_both AS (
  SELECT trade_id, min(quantity) AS quantity
  FROM worth
  GROUP BY trade_id
  HAVING min(quantity) = max(quantity) AND min(notional) = max(notional)
), told AS (
  SELECT DISTINCT ON (body->>'trade_id') body->>'trade_id' AS trade_id,
         CASE body->>'correction' WHEN 'void' THEN 0 ELSE (body->>'quantity')::bigint END AS quantity
  FROM trading.engine_event
  WHERE kind = 'trade_correction'
  ORDER BY body->>'trade_id', engine_sequence DESC
)
SELECT trade_id AS subject, coalesce(told.quantity, trade.quantity)::text AS found, of_both.quantity::text AS expected
FROM of_both JOIN trading.trade USING (trade_id) LEFT JOIN told USING (trade_id)
WHERE coalesce(told.quantity, trade.quantity) <> of_both.quantity;
