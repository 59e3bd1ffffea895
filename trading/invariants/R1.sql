-- R1  The reserved amount of a balance is what the account's orders and short positions require. In a complementary market the
-- orders of both outcomes are required of the first one. The house reserves nothing.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH ladder AS (
  SELECT outcome_id,
         CASE WHEN (terms ->> 'complementary')::boolean THEN first_value(outcome_id) OVER of_market ELSE outcome_id END AS counted_as
  FROM trading.market_outcome JOIN trading.market USING (market_id)
  WINDOW of_market AS (PARTITION BY market_id ORDER BY place)
), working AS (
  SELECT account_id, counted_as AS outcome_id, sum(reserved_amount) AS order_reserve
  FROM trading.orders JOIN ladder USING (outcome_id)
  WHERE status IN ({{RESTING_STATUSES}})
  GROUP BY account_id, counted_as
), asked AS (
  SELECT position.account_id, position.outcome_id, terms->>'settlement_asset_id' AS asset_id, requirement,
         coalesce(order_reserve.order_reserve, 0)
           + greatest(greatest(-net_quantity, 0) * (terms->>'one')::bigint * (terms->>'unit')::bigint
             - CASE WHEN net_quantity < 0 THEN pending_short_credit ELSE 0 END, 0) AS expected
  FROM trading.position
  JOIN trading.market USING (market_id)
  LEFT JOIN working AS order_reserve USING (account_id, outcome_id)
  WHERE position.account_id NOT LIKE 'acct\_house\_%'
)
SELECT account_id || ' ' || outcome_id AS subject, requirement::text AS found, expected::text AS expected
FROM asked
WHERE requirement <> expected
UNION ALL
SELECT account_id || ' ' || asset_id, coalesce(reserved, 0)::text, coalesce(requirement, 0)::text
FROM (SELECT * FROM trading.balance WHERE account_id NOT LIKE 'acct\_house\_%') AS balance
FULL JOIN (SELECT account_id, asset_id, sum(requirement) AS requirement FROM asked GROUP BY account_id, asset_id) AS sums
  USING (account_id, asset_id)
WHERE coalesce(reserved, 0) <> coalesce(requirement, 0);
