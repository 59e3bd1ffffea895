-- L9  What a balance holds for withdrawals is the sum of the open ones. The ledger of each transfer is what its state says: held,
-- paid out, paid in, or nothing.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH open AS (
  SELECT account_id, asset_id, sum(amount) AS amount
  FROM trading.transfer
  WHERE state = 'held'
  GROUP BY account_id, asset_id
), booked AS (
  SELECT reference_id AS transfer_id,
         coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
         coalesce(sum(amount) FILTER (WHERE bucket = 'withdrawal_hold'), 0) AS held
  FROM trading.ledger_entry
  WHERE account_id <> 'acct_house_external' AND (kind = 'deposit' OR kind = 'withdrawal')
  GROUP BY reference_id
), owed AS (
  SELECT transfer_id,
         CASE WHEN direction = 'deposit' AND state = 'confirmed' THEN amount
              WHEN direction = 'withdrawal' AND (state = 'held' OR state = 'confirmed') THEN -amount
              ELSE 0 END AS available,
         CASE WHEN state = 'held' THEN amount ELSE 0 END AS held
  FROM trading.transfer
)
SELECT account_id || ' ' || asset_id AS subject, coalesce(withdrawal_hold, 0)::text AS found, coalesce(amount, 0)::text AS expected
FROM trading.balance FULL JOIN open USING (account_id, asset_id)
WHERE coalesce(withdrawal_hold, 0) <> coalesce(amount, 0)
UNION ALL
SELECT transfer_id, concat_ws(' ', coalesce(booked.available, 0), coalesce(booked.held, 0)), concat_ws(' ', owed.available, owed.held)
FROM owed LEFT JOIN booked USING (transfer_id)
WHERE coalesce(booked.available, 0) <> owed.available OR coalesce(booked.held, 0) <> owed.held;
