-- Operators' acts in the order of their batches, those that register keys first in each.
--
-- params   $1 batch_sequence, $2 rank in it and $3 act id after which to go on  $4 most rows
-- returns  the act with its batch_sequence and rank, and the instant of its batch, null: there is none
WITH act AS (
  SELECT *, CASE command ->> 'kind' WHEN 'register_operator_key' THEN 0 ELSE 1 END AS rank
  FROM trading.operator_act
  WHERE batch_sequence >= $1
), next AS (
  SELECT *
  FROM act
  WHERE (batch_sequence, rank, act_id) > ($1, $2, $3)
  ORDER BY batch_sequence, rank, act_id
  LIMIT $4
)
SELECT act_id, batch_sequence, rank, at, actor, reason, command, issued_at, command_hash, signatures,
       (SELECT batch.at FROM trading.engine_batch batch WHERE batch.batch_sequence = next.batch_sequence) AS batch_at
FROM next
ORDER BY batch_sequence, rank, act_id;
