-- The last committed batch, and the identity of the history, taken from its first batch.
-- returns: epoch, at, engine_sequence, ledger_sequence; no row: nothing was ever committed.
SELECT (SELECT substr(encode(hash, 'hex'), 1, 16) FROM trading.engine_batch ORDER BY batch_sequence LIMIT 1) AS epoch,
       at, last_engine_sequence AS engine_sequence, last_ledger_sequence AS ledger_sequence
FROM trading.engine_batch
ORDER BY batch_sequence DESC
LIMIT 1
