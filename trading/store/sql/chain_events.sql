-- Events of consecutive batches, with their bodies as stored text.
--
-- params   $1 bigint batch_sequence, exclusive   $2 bigint batch_sequence, inclusive
-- returns  engine_sequence, batch_sequence, kind, account_id, body
-- plan     by the key of the first batch's row on, as far as the last one's: sequences and batches rise together
SELECT engine_sequence, batch_sequence, kind, account_id, body::text AS body
FROM trading.engine_event
WHERE engine_sequence > coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = $1), 0)
  AND engine_sequence <= (SELECT last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = $2)
ORDER BY engine_sequence;
