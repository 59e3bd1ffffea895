-- P2  Open interest equals the fills of the accounts: a position is the sum of its fills and their adjustments, less what
-- a resolution paid. In a complementary market this holds for the exposure of an account, Y - N.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     a corrected resolution pays a position again, by the difference: its quantity counts once
WITH moved AS (
  SELECT account_id, outcome_id, CASE side WHEN 'BUY' THEN quantity ELSE -quantity END AS quantity FROM trading.fill
  UNION ALL
  SELECT f.account_id, f.outcome_id, CASE f.side WHEN 'BUY' THEN a.quantity_delta ELSE -a.quantity_delta END
  FROM trading.adjustment AS a JOIN trading.fill AS f USING (fill_id)
  UNION ALL
  SELECT account_id, outcome_id, -net_quantity
  FROM (
    SELECT account_id, outcome_id, net_quantity,
           row_number() OVER (PARTITION BY account_id, outcome_id ORDER BY engine_sequence DESC) AS nth
    FROM trading.resolution_payout
  ) AS paid
  WHERE nth = 1
), ladder AS (
  SELECT o.outcome_id,
         CASE WHEN (m.terms ->> 'complementary')::boolean THEN first_value(o.outcome_id) OVER of_market ELSE o.outcome_id END AS counted_as,
         CASE WHEN (m.terms ->> 'complementary')::boolean AND row_number() OVER of_market > 1 THEN -1 ELSE 1 END AS sign
  FROM trading.market_outcome AS o JOIN trading.market AS m USING (market_id)
  WINDOW of_market AS (PARTITION BY o.market_id ORDER BY o.place)
), folded AS (
  SELECT account_id, counted_as AS outcome_id, sum(sign * quantity) AS quantity
  FROM moved JOIN ladder USING (outcome_id)
  GROUP BY account_id, counted_as
), held AS (
  SELECT account_id, counted_as AS outcome_id, sum(sign * net_quantity) AS net_quantity
  FROM trading.position JOIN ladder USING (outcome_id)
  GROUP BY account_id, counted_as
)
SELECT account_id || ' ' || outcome_id AS subject, coalesce(net_quantity, 0)::text AS found, coalesce(quantity, 0)::text AS expected
FROM held FULL JOIN folded USING (account_id, outcome_id)
WHERE coalesce(net_quantity, 0) <> coalesce(quantity, 0) AND account_id NOT LIKE 'acct\_house\_%';
