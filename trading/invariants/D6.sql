-- D6  A settlement has its effect once: one ledger transaction for its confirmation and at most one for its reversal,
-- however often it is reported. A payout equals the amount of the settlement that it names.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH effect AS (
  SELECT reference_id AS settlement_id,
         count(DISTINCT ledger_sequence) FILTER (WHERE kind = 'settlement') AS confirmations,
         count(DISTINCT ledger_sequence) FILTER (WHERE kind = 'reversal'
           AND bucket IN ('settled', 'unsettled')) AS reversals
  FROM trading.ledger_entry
  WHERE kind IN ('settlement', 'reversal')
  GROUP BY reference_id
)
SELECT settlement_id AS subject, state || ' ' || coalesce(confirmations, 0) || ' ' || coalesce(reversals, 0) AS found,
       'one confirmation of what was confirmed, one reversal of what was reversed' AS expected
FROM trading.settlement FULL JOIN effect USING (settlement_id)
WHERE state IS NULL
   OR coalesce(reversals, 0) <> (state = 'reversed')::integer
   OR (coalesce(confirmations, 0) <> (state IN ('confirmed', 'reversed'))::integer
     -- What was adjusted to nothing before it was confirmed moved nothing.
     AND NOT (state = 'confirmed' AND coalesce(confirmations, 0) = 0 AND quantity = 0 AND notional = 0 AND fee = 0))
UNION ALL
SELECT coalesce(fill.fill_id, settlement.settlement_id), coalesce(fill.settlement_id, 'no fill'), coalesce(settlement.settlement_id, 'no settlement')
FROM trading.fill
FULL JOIN (SELECT * FROM trading.settlement WHERE kind = 'trade_settlement') AS settlement ON settlement.fill_id = fill.fill_id
WHERE fill.settlement_id IS DISTINCT FROM settlement.settlement_id
UNION ALL
SELECT coalesce(payout.settlement_id, settlement.settlement_id), coalesce(abs(amount)::text, 'no payout'),
       coalesce(notional::text, 'no settlement')
FROM (SELECT * FROM trading.resolution_payout WHERE settlement_id IS NOT NULL) AS payout
FULL JOIN (SELECT * FROM trading.settlement WHERE kind IN ('resolution_payout', 'resolution_correction')) AS settlement USING (settlement_id)
WHERE abs(amount) IS DISTINCT FROM notional OR payout.resolution_id IS DISTINCT FROM settlement.resolution_id
   OR (amount > 0 AND side <> 'SELL') OR (amount < 0 AND side <> 'BUY');
