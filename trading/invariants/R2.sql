-- R2  A fill of a BUY owes exactly its cost and fee, in the transaction that takes the same amount from reserved or
-- available. In a complementary market a side owes what it opens and the fee of that, and has a claim on what it closes less
-- the fee of that.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     a BUY opens its outcome at its price and closes the other one at 1 less it; a SELL the reverse
WITH split AS (
  SELECT trade_id, account_id, fill.quantity - closed_quantity AS opened, closed_quantity AS closed, fee - closing_fee AS opening_fee,
         closing_fee, (terms ->> 'unit')::bigint AS unit,
         CASE side WHEN 'BUY' THEN price ELSE (terms ->> 'one')::bigint - price END AS opens_at,
         CASE side WHEN 'BUY' THEN (terms ->> 'one')::bigint - price ELSE price END AS closes_at
  FROM trading.fill JOIN trading.market USING (market_id)
  WHERE closed_quantity IS NOT NULL
), owed AS (
  SELECT trade_id, account_id, sum(notional + fee) AS amount, NULL::bigint AS claim
  FROM trading.fill
  WHERE side = 'BUY' AND closed_quantity IS NULL
  GROUP BY trade_id, account_id
  UNION ALL
  SELECT trade_id, account_id, opened * opens_at * unit + opening_fee, closed * closes_at * unit - closing_fee
  FROM split
), booked AS (
  SELECT reference_id AS trade_id, account_id,
         sum(amount) FILTER (WHERE bucket = 'pending_debit') AS debit,
         -sum(amount) FILTER (WHERE bucket IN ('available', 'reserved')) AS taken,
         sum(amount) FILTER (WHERE bucket = 'pending_credit') AS credit
  FROM trading.ledger_entry
  WHERE kind = 'fill'
  GROUP BY reference_id, account_id
)
SELECT owed.trade_id || ' ' || owed.account_id AS subject, concat_ws(' ', debit, taken, credit) AS found,
       concat_ws(' ', amount, amount, claim) AS expected
FROM owed LEFT JOIN booked USING (trade_id, account_id)
WHERE (coalesce(debit, 0), coalesce(taken, 0)) IS DISTINCT FROM (amount, amount)
   OR (claim IS NOT NULL AND coalesce(credit, 0) <> claim);
