-- Audit entries of a key, newest first.
-- params: $1 key_id, $2 and $3 occurred_at and audit_id of the last one before the page, or null, $4 rows.
-- returns: columns of api_key_audit
SELECT audit_id, key_id, action, occurred_at, request_id, ip, method, path, outcome, by_key_id
FROM trading.api_key_audit
WHERE key_id = $1
  AND ($2::timestamptz IS NULL OR (occurred_at, audit_id) < ($2::timestamptz, $3::text))
ORDER BY occurred_at DESC, audit_id DESC
LIMIT $4
