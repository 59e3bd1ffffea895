-- L10  In a complementary market nobody ever held less than 0 of an outcome, and nobody holds both. The pool owes, and holds
-- nothing.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     a market that became complementary had debts before
WITH complementary AS (
  SELECT market_id, min(engine_sequence) AS since
  FROM trading.market JOIN trading.engine_event ON kind = 'market' AND body ->> 'market_id' = market_id
  WHERE (terms ->> 'complementary')::boolean AND (body ->> 'complementary')::boolean
  GROUP BY market_id
)
SELECT account_id || ' ' || (body ->> 'outcome_id') || ' at ' || engine_sequence AS subject, body ->> 'net_quantity' AS found,
       CASE WHEN account_id LIKE 'acct\_house\_pool\_%' THEN 'at most 0' ELSE 'at least 0' END AS expected
FROM trading.engine_event JOIN complementary ON market_id = body ->> 'market_id'
WHERE kind = 'position' AND engine_sequence > since
  AND (body ->> 'net_quantity')::bigint * CASE WHEN account_id LIKE 'acct\_house\_pool\_%' THEN -1 ELSE 1 END < 0
UNION ALL
SELECT account_id || ' ' || outcome_id, net_quantity::text, 'nothing below 0'
FROM trading.position JOIN complementary USING (market_id)
WHERE account_id NOT LIKE 'acct\_house\_pool\_%' AND net_quantity < 0
UNION ALL
SELECT account_id || ' ' || market_id, string_agg(outcome_id || ' ' || net_quantity, ', '), 'one outcome'
FROM trading.position JOIN complementary USING (market_id)
WHERE account_id NOT LIKE 'acct\_house\_pool\_%' AND net_quantity > 0
GROUP BY account_id, market_id
HAVING count(*) > 1;
