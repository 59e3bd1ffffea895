-- P1  The public trades equal the fills of the accounts: each has a taker in its outcome and a maker on the other side, at its
-- price and quantity, as adjusted, and each fill belongs to a public trade.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     while adjustments leave the two sides unequal the house stands in for one, and the trade stays as it was when they were
--          last equal (view adjusted_trade); a void trade has quantity 0. In a complementary market a fill of the other outcome is
--          one of the opposite side at 1 less its price
WITH stated AS (
  SELECT body ->> 'trade_id' AS trade_id, body ->> 'market_id' AS market_id, body ->> 'outcome_id' AS outcome_id,
         (body ->> 'price')::bigint AS price, (body ->> 'quantity')::bigint AS quantity
  FROM trading.engine_event
  WHERE kind = 'trade'
), corrected AS (
  SELECT DISTINCT ON (body ->> 'trade_id') body ->> 'trade_id' AS trade_id,
         CASE body ->> 'correction' WHEN 'void' THEN 0 ELSE (body ->> 'quantity')::bigint END AS quantity
  FROM trading.engine_event
  WHERE kind = 'trade_correction'
  ORDER BY body ->> 'trade_id', engine_sequence DESC
), side AS (
  SELECT f.trade_id, f.market_id, f.quantity, f.side, f.price, f.notional, f.liquidity_role,
         CASE WHEN (m.terms ->> 'complementary')::boolean THEN coalesce(t.outcome_id, f.outcome_id) ELSE f.outcome_id END AS outcome_id,
         (m.terms ->> 'complementary')::boolean AND f.outcome_id <> t.outcome_id AS is_mirrored,
         (m.terms ->> 'one')::bigint AS one, (m.terms ->> 'unit')::bigint AS unit
  FROM trading.fill AS f
  JOIN trading.market AS m USING (market_id)
  LEFT JOIN trading.fill AS t ON t.trade_id = f.trade_id AND t.liquidity_role = 'taker'
), on_one_outcome AS (
  SELECT trade_id, market_id, outcome_id, quantity, liquidity_role,
         CASE WHEN NOT coalesce(is_mirrored, false) THEN side WHEN side = 'BUY' THEN 'SELL' ELSE 'BUY' END AS side,
         CASE WHEN is_mirrored THEN one - price ELSE price END AS price,
         CASE WHEN is_mirrored THEN quantity * one * unit - notional ELSE notional END AS notional
  FROM side
), matched AS (
  SELECT trade_id, min(market_id) AS market_id, min(outcome_id) AS outcome_id, min(price) AS price, min(quantity) AS quantity,
         count(*) AS fills, count(DISTINCT (market_id, outcome_id, price, quantity, notional)) AS terms,
         string_agg(side, ' ' ORDER BY side) AS sides, count(*) FILTER (WHERE liquidity_role = 'taker') AS takers
  FROM on_one_outcome
  GROUP BY trade_id
), equal AS (
  SELECT DISTINCT ON (trade_id) trade_id, quantity_delta AS quantity
  FROM trading.adjusted_trade
  ORDER BY trade_id, engine_sequence DESC
)
SELECT 'trade ' || coalesce(stated.trade_id, matched.trade_id) AS subject,
       concat_ws(' ', stated.market_id, stated.outcome_id, stated.price, coalesce(corrected.quantity, stated.quantity)) AS found,
       concat_ws(' ', matched.market_id, matched.outcome_id, matched.price, matched.quantity + coalesce(equal.quantity, 0),
         'of ' || fills || ' fills ' || sides) AS expected
FROM stated
FULL JOIN matched USING (trade_id)
LEFT JOIN corrected USING (trade_id)
LEFT JOIN equal USING (trade_id)
WHERE stated.trade_id IS NULL OR matched.trade_id IS NULL OR fills <> 2 OR takers <> 1 OR sides <> 'BUY SELL' OR terms <> 1
   OR (stated.market_id, stated.outcome_id, stated.price) IS DISTINCT FROM (matched.market_id, matched.outcome_id, matched.price)
   OR coalesce(corrected.quantity, stated.quantity) <> matched.quantity + coalesce(equal.quantity, 0);
