-- O1  filled + remaining + canceled = original, and filled is the sum of the fills with their adjustments.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH executed AS (
  SELECT order_id, sum(fill.quantity + coalesce(adjusted.quantity, 0)) AS quantity
  FROM trading.fill
  LEFT JOIN (SELECT fill_id, sum(quantity_delta) AS quantity FROM trading.adjustment GROUP BY fill_id) AS adjusted USING (fill_id)
  GROUP BY order_id
)
SELECT order_id AS subject, concat_ws(' ', filled_quantity, filled_quantity + remaining_quantity + canceled_quantity) AS found,
       concat_ws(' ', coalesce(executed.quantity, 0), original_quantity) AS expected
FROM trading.orders LEFT JOIN executed USING (order_id)
WHERE filled_quantity <> coalesce(executed.quantity, 0)
   OR filled_quantity + remaining_quantity + canceled_quantity <> original_quantity
UNION ALL
SELECT order_id, 'fills', 'an order' FROM executed
WHERE NOT EXISTS (SELECT FROM trading.orders WHERE orders.order_id = executed.order_id);
