-- Balances of an account as of a batch, folded from the ledger; versions are those of the last event up to it.
-- params: $1 account_id, $2 asset_id, or null: all; $3 engine_sequence, $4 ledger_sequence of the batch.
-- rule: everything but claims (pending_credit) sums to the total.
-- returns: as list_balances.sql
SELECT b.account_id, b.asset_id, l.total, l.reserved, l.withdrawal_hold, l.pending_settlement_debit, l.pending_settlement_credit,
       (e.body->>'projection_version')::bigint AS projection_version,
       (e.body->>'ledger_sequence')::bigint AS ledger_sequence, e.engine_sequence, a.scale AS asset_scale
FROM trading.balance b
JOIN trading.asset a USING (asset_id)
CROSS JOIN LATERAL (
  SELECT v.body, t.last_engine_sequence AS engine_sequence FROM trading.engine_event v
  JOIN trading.engine_batch t USING (batch_sequence)
  WHERE v.account_id = b.account_id AND v.kind = 'balance' AND v.body->>'asset_id' = b.asset_id AND v.engine_sequence <= $3
  ORDER BY v.engine_sequence DESC LIMIT 1
) e
CROSS JOIN LATERAL (
  SELECT coalesce(sum(amount) FILTER (WHERE bucket <> 'pending_credit'), 0)::bigint AS total,
         coalesce(sum(amount) FILTER (WHERE bucket = 'reserved'), 0)::bigint AS reserved,
         coalesce(sum(amount) FILTER (WHERE bucket = 'withdrawal_hold'), 0)::bigint AS withdrawal_hold,
         coalesce(sum(amount) FILTER (WHERE bucket = 'pending_debit'), 0)::bigint AS pending_settlement_debit,
         coalesce(sum(amount) FILTER (WHERE bucket = 'pending_credit'), 0)::bigint AS pending_settlement_credit
  FROM trading.ledger_entry
  WHERE hashtext(account_id || ' ' || asset_id) = hashtext(b.account_id || ' ' || b.asset_id)
    AND account_id = b.account_id AND asset_id = b.asset_id AND ledger_sequence <= $4
) l
WHERE b.account_id = $1 AND ($2::text IS NULL OR b.asset_id = $2)
ORDER BY b.asset_id
