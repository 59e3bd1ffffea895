-- L6  The house has the fees of the fills whose settlement is confirmed, with what adjustments changed of them, and no other.
--
-- returns  subject, found, expected: one row a violation; none where it holds
WITH booked AS (
  SELECT reference_id, sum(amount) AS amount
  FROM trading.ledger_entry
  WHERE account_id = 'acct_house_fees'
  GROUP BY reference_id
), owed AS (
  SELECT settlement_id AS reference_id, fee AS amount FROM trading.settlement WHERE confirmed_at IS NOT NULL
)
SELECT reference_id AS subject, coalesce(booked.amount, 0)::text AS found, coalesce(owed.amount, 0)::text AS expected
FROM booked FULL JOIN owed USING (reference_id)
WHERE coalesce(booked.amount, 0) <> coalesce(owed.amount, 0)
  AND reference_id NOT IN (SELECT adjustment_id FROM trading.adjustment);
