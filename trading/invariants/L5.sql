-- L5  available, reserved, withdrawal_hold and pending debit of a user are never below 0, after any transaction.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH moved AS (
  SELECT account_id, asset_id, ledger_sequence, bucket, sum(amount) AS amount
  FROM trading.ledger_entry
  WHERE account_id NOT LIKE 'acct\_house\_%' AND bucket IN ('available', 'reserved', 'withdrawal_hold', 'pending_debit')
  GROUP BY account_id, asset_id, ledger_sequence, bucket
), folded AS (
  SELECT account_id, asset_id, ledger_sequence, bucket,
         sum(amount) OVER (PARTITION BY account_id, asset_id, bucket ORDER BY ledger_sequence) AS amount
  FROM moved
)
SELECT account_id || ' ' || asset_id || ' ' || bucket || ' at ' || ledger_sequence AS subject, amount::text AS found,
       'at least 0' AS expected
FROM folded
WHERE amount < 0;
