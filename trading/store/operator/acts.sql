-- Operators' acts, newest first.
--
-- params   $1 act id  $2 kind of command  $3 actor; null: any  $4 most rows
--          $5 those of services too: their names have a colon, and `sandbox` is that of the processes of a sandbox
-- returns  act_id, at, actor, reason, command, issued_at, command_hash, signatures
SELECT act_id, at, actor, reason, command, issued_at, command_hash, signatures
  FROM trading.operator_act
 WHERE ($1::text IS NULL OR act_id = $1)
   AND ($2::text IS NULL OR command ->> 'kind' = $2)
   AND ($3::text IS NULL OR actor = $3)
   AND ($5::boolean OR position(':' IN actor) = 0)
   AND ($5::boolean OR actor <> 'sandbox'
        OR NOT EXISTS (SELECT FROM trading.operator_key WHERE environment = 'sandbox'))
 ORDER BY batch_sequence DESC, act_id
 LIMIT $4
