-- R4  reserved_sell_quantity of a position is the remaining quantity of its working SELL orders. In a complementary market it
-- is what the orders that close the holding can close of it, BUY orders of the other outcome included.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH closing AS (
  SELECT orders.account_id, closed.outcome_id, sum(remaining_quantity) AS remaining,
         bool_or((terms ->> 'complementary')::boolean) AS is_ladder
  FROM trading.orders
  JOIN trading.market USING (market_id)
  JOIN trading.market_outcome AS closed USING (market_id)
  WHERE orders.status IN ({{RESTING_STATUSES}})
    AND CASE WHEN closed.outcome_id = orders.outcome_id THEN side = 'SELL'
             ELSE side = 'BUY' AND (terms ->> 'complementary')::boolean END
  GROUP BY orders.account_id, closed.outcome_id
)
SELECT account_id || ' ' || outcome_id AS subject, coalesce(reserved_sell_quantity, 0)::text AS found,
       (CASE WHEN is_ladder THEN least(remaining, coalesce(net_quantity, 0)) ELSE coalesce(remaining, 0) END)::text AS expected
FROM trading.position FULL JOIN closing USING (account_id, outcome_id)
WHERE coalesce(reserved_sell_quantity, 0)
   <> CASE WHEN is_ladder THEN least(remaining, coalesce(net_quantity, 0)) ELSE coalesce(remaining, 0) END;
