-- O13  The books of the two outcomes of a complementary market mirror each other: what is bid for one at a price is offered
-- for the other at 1 less it, and what is derived in one book is not in the other. Both have the quantity of the resting orders.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH outcome AS (
  SELECT market_id, outcome_id, (terms ->> 'one')::bigint AS one, first_value(outcome_id) OVER of_market AS counted_as,
         row_number() OVER of_market > 1 AS is_mirrored
  FROM trading.market_outcome JOIN trading.market USING (market_id)
  WHERE (terms ->> 'complementary')::boolean
  WINDOW of_market AS (PARTITION BY market_id ORDER BY place)
), newest AS (
  SELECT DISTINCT ON (body ->> 'outcome_id', body ->> 'side', body ->> 'price') body ->> 'outcome_id' AS outcome_id, body ->> 'side' AS side,
         (body ->> 'price')::bigint AS price, (body ->> 'quantity')::bigint AS quantity, (body ->> 'order_count')::bigint AS orders,
         coalesce((body ->> 'derived_quantity')::bigint, 0) AS derived, coalesce((body ->> 'derived_order_count')::bigint, 0) AS derived_orders
  FROM trading.engine_event
  WHERE kind = 'book'
  ORDER BY body ->> 'outcome_id', body ->> 'side', body ->> 'price', engine_sequence DESC
), level AS (
  SELECT counted_as, is_mirrored, quantity, orders, CASE WHEN is_mirrored THEN quantity - derived ELSE derived END AS mirrored,
         CASE WHEN is_mirrored THEN orders - derived_orders ELSE derived_orders END AS mirrored_orders,
         CASE WHEN NOT is_mirrored THEN side WHEN side = 'BUY' THEN 'SELL' ELSE 'BUY' END AS side,
         CASE WHEN is_mirrored THEN one - price ELSE price END AS price
  FROM newest JOIN outcome USING (outcome_id)
  WHERE quantity > 0
), resting AS (
  SELECT counted_as, CASE WHEN NOT is_mirrored THEN side WHEN side = 'BUY' THEN 'SELL' ELSE 'BUY' END AS side,
         CASE WHEN is_mirrored THEN one - limit_price::numeric * one ELSE limit_price::numeric * one END AS price, remaining_quantity, is_mirrored
  FROM trading.orders JOIN outcome USING (market_id, outcome_id)
  WHERE status IN ({{RESTING_STATUSES}})
), ordered AS (
  SELECT counted_as, side, price, sum(remaining_quantity) AS quantity, count(*) AS orders,
         coalesce(sum(remaining_quantity) FILTER (WHERE is_mirrored), 0) AS mirrored, count(*) FILTER (WHERE is_mirrored) AS mirrored_orders
  FROM resting
  GROUP BY counted_as, side, price
), compared AS (
  SELECT counted_as, side, price, 'first' AS book, concat_ws(' ', quantity, orders, mirrored, mirrored_orders) AS found FROM level WHERE NOT is_mirrored
  UNION ALL
  SELECT counted_as, side, price, 'second', concat_ws(' ', quantity, orders, mirrored, mirrored_orders) FROM level WHERE is_mirrored
), wanted AS (
  SELECT counted_as, side, price, 'first' AS book, concat_ws(' ', quantity, orders, mirrored, mirrored_orders) AS expected FROM ordered
  UNION ALL
  SELECT counted_as, side, price, 'second', concat_ws(' ', quantity, orders, mirrored, mirrored_orders) FROM ordered
)
SELECT concat_ws(' ', counted_as, side, price, book) AS subject, coalesce(found, 'no level') AS found, coalesce(expected, 'no order') AS expected
FROM compared FULL JOIN wanted USING (counted_as, side, price, book)
WHERE found IS DISTINCT FROM expected;
