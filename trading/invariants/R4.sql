-- R4  reserved_sell_quantity of a position is the remaining quantity of its working SELL orders.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT account_id || ' ' || outcome_id AS subject, coalesce(reserved_sell_quantity, 0)::text AS found,
       coalesce(remaining, 0)::text AS expected
FROM trading.position
FULL JOIN (
  SELECT account_id, outcome_id, sum(remaining_quantity) AS remaining
  FROM trading.orders
  WHERE side = 'SELL' AND status IN ({{RESTING_STATUSES}})
  GROUP BY account_id, outcome_id
) AS working USING (account_id, outcome_id)
WHERE coalesce(reserved_sell_quantity, 0) <> coalesce(remaining, 0);
