-- Operators' acts that are signed, and those of people after the first operator was registered.
--
-- params   $1 kinds of commands that are steps of services  $2 act id after which to go on  $3 most rows
-- returns  act_id, at, actor, reason, command, issued_at, command_hash, signatures, in the order of act_id
SELECT act_id, at, actor, reason, command, issued_at, command_hash, signatures
FROM trading.operator_act
WHERE act_id > $2
  AND (json_array_length(signatures) > 0
       OR (NOT command ->> 'kind' = ANY ($1) AND at > (SELECT min(registered_at) FROM trading.operator_key)))
ORDER BY act_id
LIMIT $3;
