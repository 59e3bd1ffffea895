-- Every operator key, revoked ones too: they are few.
--
-- returns  one row a key, in the order of registration; the first is the root
SELECT operator_key_id, operator_id, public_key, environment, registered_at, revoked_at
FROM trading.operator_key
ORDER BY registered_at, operator_key_id;
