-- One key, as a request is checked with it.
-- params: $1 key_id.
-- returns: key_id, account_id, environment, algorithm, scopes, ip_allowlist, material, previous_material, previous_until, expires_at, revoked_at
SELECT key_id, account_id, environment, algorithm, scopes, ip_allowlist, material, previous_material, previous_until,
       expires_at, revoked_at
FROM trading.api_key
WHERE key_id = $1
