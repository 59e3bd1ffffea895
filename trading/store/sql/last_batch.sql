-- The last committed batch; no rows before the first.
--
-- returns  0 or 1 row of engine_batch
SELECT batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash, hash
FROM trading.engine_batch
ORDER BY batch_sequence DESC
LIMIT 1;
