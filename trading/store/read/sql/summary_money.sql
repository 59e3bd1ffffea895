-- Balances of an account after a batch, as the batch left them.
--
-- params   $1 account_id   $2 last engine_sequence of the batch
-- returns  asset_id, scale, total, reserved, withdrawal_hold, pending_settlement_debit, pending_settlement_credit
-- rule     a balance that has not changed since is its row; of another one the last event up to the batch is read
SELECT b.asset_id, a.scale,
       coalesce((e.body ->> 'total')::bigint, b.total) AS total,
       coalesce((e.body ->> 'reserved')::bigint, b.reserved) AS reserved,
       coalesce((e.body ->> 'withdrawal_hold')::bigint, b.withdrawal_hold) AS withdrawal_hold,
       coalesce((e.body ->> 'pending_settlement_debit')::bigint, b.pending_settlement_debit) AS pending_settlement_debit,
       coalesce((e.body ->> 'pending_settlement_credit')::bigint, b.pending_settlement_credit) AS pending_settlement_credit
FROM trading.balance b
JOIN trading.asset a USING (asset_id)
LEFT JOIN LATERAL (
  SELECT v.body
  FROM trading.engine_event v
  WHERE b.engine_sequence > $2::bigint AND v.account_id = b.account_id AND v.kind = 'balance'
    AND v.body ->> 'asset_id' = b.asset_id AND v.engine_sequence <= $2
  ORDER BY v.engine_sequence DESC
  LIMIT 1
) AS e ON true
WHERE b.account_id = $1 AND (b.engine_sequence <= $2 OR e.body IS NOT NULL)
ORDER BY b.asset_id
