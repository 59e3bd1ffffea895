-- Acts of consecutive batches that the hashes of these cover: all whose command was hashed.
--
-- params   $1 bigint batch_sequence, exclusive   $2 bigint batch_sequence, inclusive
-- returns  batch_sequence, act_id, actor, reason, issued_at, command_hash, signatures
SELECT batch_sequence, act_id, actor, reason, issued_at, command_hash, signatures
FROM trading.operator_act
WHERE batch_sequence > $1 AND batch_sequence <= $2 AND command_hash IS NOT NULL;
