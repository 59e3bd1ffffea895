-- L3  Every field of a balance is the sum of its ledger entries; a position equals the ledger's quantity of its outcome.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH folded AS (
  SELECT account_id, asset_id,
         sum(amount) FILTER (WHERE bucket <> 'pending_credit') AS total,
         sum(amount) FILTER (WHERE bucket = 'reserved') AS reserved,
         sum(amount) FILTER (WHERE bucket = 'withdrawal_hold') AS withdrawal_hold,
         sum(amount) FILTER (WHERE bucket = 'pending_debit') AS pending_settlement_debit,
         sum(amount) FILTER (WHERE bucket = 'pending_credit') AS pending_settlement_credit,
         max(ledger_sequence) AS ledger_sequence
  FROM trading.ledger_entry
  WHERE asset_id IN (SELECT asset_id FROM trading.asset)
  GROUP BY account_id, asset_id
), compared AS (
  SELECT account_id, asset_id,
         concat_ws(' ', coalesce(balance.total, 0), coalesce(balance.reserved, 0), coalesce(balance.withdrawal_hold, 0),
           coalesce(balance.pending_settlement_debit, 0), coalesce(balance.pending_settlement_credit, 0)) AS found,
         concat_ws(' ', coalesce(folded.total, 0), coalesce(folded.reserved, 0), coalesce(folded.withdrawal_hold, 0),
           coalesce(folded.pending_settlement_debit, 0), coalesce(folded.pending_settlement_credit, 0)) AS expected,
         coalesce(folded.ledger_sequence, 0) > coalesce(balance.ledger_sequence, 0) AS is_behind
  FROM trading.balance FULL JOIN folded USING (account_id, asset_id)
)
SELECT account_id || ' ' || asset_id AS subject, found, expected FROM compared WHERE found <> expected OR is_behind
UNION ALL
SELECT account_id || ' ' || outcome_id, concat_ws(' ', coalesce(net_quantity, 0), coalesce(settled_quantity, 0)),
       concat_ws(' ', coalesce(net, 0), coalesce(settled, 0))
FROM trading.position
FULL JOIN (
  SELECT account_id, asset_id AS outcome_id, sum(amount) AS net,
         coalesce(sum(amount) FILTER (WHERE bucket = 'settled'), 0) AS settled
  FROM trading.ledger_entry
  WHERE NOT EXISTS (SELECT FROM trading.asset WHERE asset.asset_id = ledger_entry.asset_id)
  GROUP BY account_id, asset_id
) AS held USING (account_id, outcome_id)
WHERE coalesce(net_quantity, 0) <> coalesce(net, 0) OR coalesce(settled_quantity, 0) <> coalesce(settled, 0);
