-- O9  While a market is open the best bid of an outcome is below its best ask. In a complementary market orders of the second
-- outcome count as the opposite side of the first, at 1 less their price.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH ladder AS (
  SELECT o.outcome_id,
         CASE WHEN (m.terms ->> 'complementary')::boolean THEN first_value(o.outcome_id) OVER of_market ELSE o.outcome_id END AS counted_as,
         (m.terms ->> 'complementary')::boolean AND row_number() OVER of_market > 1 AS is_mirrored
  FROM trading.market_outcome AS o JOIN trading.market AS m USING (market_id)
  WINDOW of_market AS (PARTITION BY o.market_id ORDER BY o.place)
), resting AS (
  SELECT counted_as AS outcome_id,
         CASE WHEN NOT coalesce(is_mirrored, false) THEN side WHEN side = 'BUY' THEN 'SELL' ELSE 'BUY' END AS side,
         CASE WHEN is_mirrored THEN 1 - limit_price::numeric ELSE limit_price::numeric END AS price
  FROM trading.orders JOIN ladder USING (outcome_id)
  WHERE status IN ({{BOOKED_STATUSES}})
)
SELECT outcome_id AS subject, bid || ' ' || ask AS found, 'bid below ask' AS expected
FROM (
  SELECT outcome_id, max(price) FILTER (WHERE side = 'BUY') AS bid, min(price) FILTER (WHERE side = 'SELL') AS ask
  FROM resting
  GROUP BY outcome_id
) AS best
WHERE bid >= ask;
