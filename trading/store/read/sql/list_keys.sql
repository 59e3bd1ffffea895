-- Keys of an account, oldest first.
-- params: $1 account_id, $2 and $3 created_at and key_id of the last one before the page, or null, $4 rows.
-- returns: columns of api_key, and last_used_at, null where it is not known
SELECT k.key_id, k.account_id, k.environment, k.label, k.algorithm, k.scopes, k.ip_allowlist, k.secret_version, k.material,
       k.previous_material, k.previous_until, k.created_at, k.expires_at, k.revoked_at, k.revoke_reason, u.last_used_at
FROM trading.api_key k
LEFT JOIN trading.api_key_use u USING (key_id)
WHERE k.account_id = $1
  AND ($2::timestamptz IS NULL OR (k.created_at, k.key_id) > ($2::timestamptz, $3::text))
ORDER BY k.created_at, k.key_id
LIMIT $4
