-- Some of the secrets that are sealed and in use: of HMAC keys and of webhooks.
--
-- params: $1 most of each
-- returns: id, material, of_key
(SELECT key_id AS id, material, true AS of_key FROM trading.api_key
 WHERE algorithm = 'hmac-sha256' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
 ORDER BY key_id LIMIT $1)
UNION ALL
(SELECT webhook_id AS id, material, false AS of_key FROM trading.webhook
 WHERE deleted_at IS NULL
 ORDER BY webhook_id LIMIT $1);
