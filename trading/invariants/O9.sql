-- O9  While a market is open the best bid of an outcome is below its best ask.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT outcome_id AS subject, bid || ' ' || ask AS found, 'bid below ask' AS expected
FROM (
  SELECT outcome_id, max(limit_price::numeric) FILTER (WHERE side = 'BUY') AS bid,
         min(limit_price::numeric) FILTER (WHERE side = 'SELL') AS ask
  FROM trading.orders
  WHERE status IN ({{BOOKED_STATUSES}})
  GROUP BY outcome_id
) AS best
WHERE bid >= ask;
