-- Keys of an account, for operators; never their secrets.
-- params: $1 account_id
-- returns: key_id, label, environment, algorithm, scopes, ip_allowlist, secret_version, created_at, expires_at, revoked_at,
--          revoke_reason
SELECT key_id, label, environment, algorithm, scopes, ip_allowlist, secret_version, created_at, expires_at, revoked_at,
       revoke_reason
  FROM trading.api_key
 WHERE account_id = $1
 ORDER BY created_at, key_id
