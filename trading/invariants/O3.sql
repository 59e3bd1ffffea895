-- O3  filled_notional is exactly the sum of price x quantity of the fills with their adjustments, and each notional is that
-- product.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT order_id AS subject, filled_notional::text AS found, coalesce(executed.notional, 0)::text AS expected
FROM trading.orders
LEFT JOIN (
  SELECT order_id, sum(fill.notional + coalesce(adjusted.notional, 0)) AS notional
  FROM trading.fill
  LEFT JOIN (SELECT fill_id, sum(notional_delta) AS notional FROM trading.adjustment GROUP BY fill_id) AS adjusted USING (fill_id)
  GROUP BY order_id
) AS executed USING (order_id)
WHERE filled_notional <> coalesce(executed.notional, 0)
UNION ALL
SELECT fill_id, notional::text, (price::numeric * quantity * (terms->>'unit')::bigint)::text
FROM trading.fill JOIN trading.market USING (market_id)
WHERE notional <> price::numeric * quantity * (terms->>'unit')::bigint;
