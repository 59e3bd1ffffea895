-- Batches after one, in order, with their links.
--
-- params   $1 bigint batch_sequence, exclusive   $2 integer rows at most
-- returns  rows of engine_batch
SELECT batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash, hash
FROM trading.engine_batch
WHERE batch_sequence > $1
ORDER BY batch_sequence
LIMIT $2;
