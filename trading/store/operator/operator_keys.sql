-- Keys with which operators sign their acts.
-- returns: operator_key_id, operator_id, public_key, environment, registered_at, revoked_at, in the order of registration
SELECT operator_key_id, operator_id, public_key, environment, registered_at, revoked_at
  FROM trading.operator_key
 ORDER BY registered_at, operator_key_id
