-- L2  The sum over all accounts is zero; money enters and leaves only by deposit and withdrawal.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT asset_id AS subject, sum(amount)::text AS found, '0 in all' AS expected
FROM trading.ledger_entry
GROUP BY asset_id
HAVING sum(amount) <> 0
UNION ALL
SELECT asset_id, sum(amount) FILTER (WHERE account_id = 'acct_house_external')::text,
       'less deposits and withdrawals: ' || -sum(amount) FILTER (WHERE account_id <> 'acct_house_external')
FROM trading.ledger_entry
WHERE kind IN ('deposit', 'withdrawal') OR account_id = 'acct_house_external'
GROUP BY asset_id
HAVING sum(amount) <> 0;
