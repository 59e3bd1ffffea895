-- L4  available + reserved + withdrawal_hold = total - pending_settlement_debit, in every balance ever published. Each is
-- the sum of the ledger up to its ledger_sequence.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH told AS (
  SELECT engine_sequence, account_id, body->>'asset_id' AS asset_id, (body->>'ledger_sequence')::bigint AS ledger_sequence,
         (body->>'total')::bigint AS total, (body->>'reserved')::bigint AS reserved,
         (body->>'withdrawal_hold')::bigint AS withdrawal_hold,
         (body->>'pending_settlement_debit')::bigint AS pending_debit,
         (body->>'pending_settlement_credit')::bigint AS pending_credit
  FROM trading.engine_event
  WHERE kind = 'balance'
), line AS (
  SELECT account_id, asset_id, ledger_sequence, NULL::bigint AS engine_sequence, bucket, amount FROM trading.ledger_entry
  UNION ALL
  SELECT account_id, asset_id, ledger_sequence, engine_sequence, '', 0 FROM told
), folded AS (
  SELECT engine_sequence,
         sum(amount) FILTER (WHERE bucket = 'available') OVER so_far AS available,
         sum(amount) FILTER (WHERE bucket = 'reserved') OVER so_far AS reserved,
         sum(amount) FILTER (WHERE bucket = 'withdrawal_hold') OVER so_far AS withdrawal_hold,
         sum(amount) FILTER (WHERE bucket = 'pending_debit') OVER so_far AS pending_debit,
         sum(amount) FILTER (WHERE bucket = 'pending_credit') OVER so_far AS pending_credit
  FROM line
  WINDOW so_far AS (PARTITION BY account_id, asset_id ORDER BY ledger_sequence RANGE UNBOUNDED PRECEDING)
)
SELECT told.account_id || ' ' || told.asset_id || ' at ' || engine_sequence AS subject,
       concat_ws(' ', total - told.reserved - told.withdrawal_hold - told.pending_debit, told.reserved, told.withdrawal_hold,
         told.pending_debit, told.pending_credit) AS found,
       concat_ws(' ', coalesce(available, 0), coalesce(folded.reserved, 0), coalesce(folded.withdrawal_hold, 0),
         coalesce(folded.pending_debit, 0), coalesce(folded.pending_credit, 0)) AS expected
FROM told JOIN folded USING (engine_sequence)
WHERE (total - told.reserved - told.withdrawal_hold - told.pending_debit, told.reserved, told.withdrawal_hold, told.pending_debit,
       told.pending_credit)
   IS DISTINCT FROM (coalesce(available, 0), coalesce(folded.reserved, 0), coalesce(folded.withdrawal_hold, 0),
       coalesce(folded.pending_debit, 0), coalesce(folded.pending_credit, 0));
