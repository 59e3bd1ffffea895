-- L6  The house holds the fees of trades with a confirmed settlement, as adjusted, and nothing else; fees of reversed
-- settlements were returned.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH reference AS (
  SELECT settlement_id AS reference_id, settlement_id FROM trading.settlement
  UNION ALL
  SELECT adjustment_id, settlement_id FROM trading.adjustment JOIN trading.fill USING (fill_id)
), booked AS (
  SELECT coalesce(settlement_id, 'no settlement: ' || reference_id) AS settlement_id, sum(amount) AS amount
  FROM trading.ledger_entry LEFT JOIN reference USING (reference_id)
  WHERE account_id = 'acct_house_fees'
  GROUP BY 1
), owed AS (
  SELECT settlement_id, fee AS amount FROM trading.settlement WHERE state = 'confirmed'
)
SELECT settlement_id AS subject, coalesce(booked.amount, 0)::text AS found, coalesce(owed.amount, 0)::text AS expected
FROM booked FULL JOIN owed USING (settlement_id)
WHERE coalesce(booked.amount, 0) <> coalesce(owed.amount, 0);
