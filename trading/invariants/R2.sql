-- R2  A fill of a BUY owes exactly its cost and fee, in the transaction that takes the same amount from reserved or
-- available.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH owed AS (
  SELECT trade_id, account_id, sum(notional + fee) AS amount FROM trading.fill WHERE side = 'BUY' GROUP BY trade_id, account_id
), booked AS (
  SELECT reference_id AS trade_id, account_id,
         sum(amount) FILTER (WHERE bucket = 'pending_debit') AS debit,
         -sum(amount) FILTER (WHERE bucket IN ('available', 'reserved')) AS taken
  FROM trading.ledger_entry
  WHERE kind = 'fill'
  GROUP BY reference_id, account_id
)
SELECT owed.trade_id || ' ' || owed.account_id AS subject, concat_ws(' ', debit, taken) AS found,
       concat_ws(' ', amount, amount) AS expected
FROM owed LEFT JOIN booked USING (trade_id, account_id)
WHERE (debit, taken) IS DISTINCT FROM (amount, amount);
