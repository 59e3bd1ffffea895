-- The last committed batch; no rows before the first.
--
-- returns  0 or 1 row of engine_batch, with the identity of the history: the first batch's
SELECT batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash, hash,
       (SELECT substr(encode(hash, 'hex'), 1, 16) FROM trading.engine_batch ORDER BY batch_sequence LIMIT 1) AS history
FROM trading.engine_batch
ORDER BY batch_sequence DESC
LIMIT 1;
