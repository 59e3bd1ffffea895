-- Price levels of all outcomes: quantity and number of orders at each price. Single orders are not shown.
--
-- returns  outcome_id, side, price at the market's price_scale, quantity, order_count; derived_quantity and derived_order_count: of the
--          orders of the other outcome of a complementary market, null where the outcome has a book of its own
-- rule     the statuses are those of the partial index orders_working: orders suspended by a market's pause keep their priority
WITH resting AS (
  SELECT o.market_id, o.outcome_id, o.side, trunc(o.limit_price::numeric * 10::numeric ^ o.price_scale)::bigint AS price,
         o.remaining_quantity, (m.terms ->> 'one')::bigint AS one, coalesce((m.terms ->> 'complementary')::boolean, false) AS is_ladder
  FROM trading.orders AS o
  JOIN trading.market AS m USING (market_id)
  WHERE o.status IN ({{RESTING_STATUSES}})
), shown AS (
  SELECT outcome_id, side, price, remaining_quantity, is_ladder, false AS derived
  FROM resting
  UNION ALL
  SELECT c.outcome_id, CASE side WHEN 'BUY' THEN 'SELL' ELSE 'BUY' END, one - price, remaining_quantity, true, true
  FROM resting AS r
  JOIN trading.market_outcome AS c ON c.market_id = r.market_id AND c.outcome_id <> r.outcome_id
  WHERE is_ladder
)
SELECT outcome_id, side, price, sum(remaining_quantity)::bigint AS quantity, count(*)::integer AS order_count,
       CASE WHEN is_ladder THEN coalesce(sum(remaining_quantity) FILTER (WHERE derived), 0)::bigint END AS derived_quantity,
       CASE WHEN is_ladder THEN (count(*) FILTER (WHERE derived))::integer END AS derived_order_count
FROM shown
GROUP BY outcome_id, side, price, is_ladder;
