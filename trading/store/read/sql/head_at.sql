-- The last batch committed at or before an instant.
-- params: $1 the instant, inclusive.
-- returns: as head.sql; no row: nothing was committed by then.
SELECT (SELECT substr(encode(hash, 'hex'), 1, 16) FROM trading.engine_batch ORDER BY batch_sequence LIMIT 1) AS epoch,
       at, last_engine_sequence AS engine_sequence, last_ledger_sequence AS ledger_sequence
FROM trading.engine_batch
WHERE at <= $1
ORDER BY at DESC
LIMIT 1
