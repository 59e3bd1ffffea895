-- Whether an account has a key.
-- params: $1 account_id, $2 key_id.
-- returns: one row where it does
SELECT true AS found FROM trading.api_key WHERE key_id = $2 AND account_id = $1
