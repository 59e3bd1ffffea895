-- Operators' acts in the order of their batches, those that register keys first in each.
--
-- returns  the act with the instant of its batch, null: there is none
SELECT act_id, act.at, actor, reason, command, issued_at, command_hash, signatures, batch.at AS batch_at
FROM trading.operator_act AS act LEFT JOIN trading.engine_batch AS batch USING (batch_sequence)
ORDER BY batch_sequence, CASE command ->> 'kind' WHEN 'register_operator_key' THEN 0 ELSE 1 END, act_id;
