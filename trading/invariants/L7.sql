-- L7  Of every outcome as much is held as is owed: the net quantities of all accounts sum to 0.
--
-- returns  subject, found, expected: one row a violation; none where it holds
SELECT outcome_id AS subject, sum(net_quantity)::text AS found, '0' AS expected
FROM trading.position
GROUP BY outcome_id
HAVING sum(net_quantity) <> 0;
