-- One key, as requests are authenticated with it.
-- params: $1 key_id.
-- rule: the tier is the one of the account's policy in force; policies of before tiers have none, which is standard
-- returns: key_id, account_id, environment, algorithm, scopes, ip_allowlist, material, previous_material, previous_until, expires_at,
--   revoked_at, limit_tier
SELECT k.key_id, k.account_id, k.environment, k.algorithm, k.scopes, k.ip_allowlist, k.material, k.previous_material, k.previous_until,
       k.expires_at, k.revoked_at, coalesce(a.policy ->> 'limit_tier', 'standard') AS limit_tier
FROM trading.api_key k
JOIN trading.account a USING (account_id)
WHERE k.key_id = $1
