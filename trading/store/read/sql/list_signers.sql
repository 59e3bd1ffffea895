-- Who may sign orders of an account now: its owner, and signers of active keys while their authorizations are in force.
-- params: $1 account_id, $2 now, $3 scope that the key must have, $4 and $5 since and authorization_id of the last one before the page, or
--   null, $6 rows.
-- rule: as maySign of the engine; the owner has no key, and an empty authorization_id, which sorts first
-- returns: signer, key_id, since, until, authorization_id
SELECT signer, key_id, since, until, authorization_id
FROM (
  SELECT owner_address AS signer, NULL::text AS key_id, created_at AS since, NULL::timestamptz AS until, '' AS authorization_id
  FROM trading.account
  WHERE account_id = $1 AND owner_address IS NOT NULL
  UNION ALL
  SELECT a.signer, k.key_id, a.at, least(a.expires_at, k.expires_at), a.authorization_id
  FROM trading.signer_authorization a
  JOIN trading.api_key k ON k.key_id = a.api_key_id
  WHERE a.account_id = $1 AND a.purpose = 'create' AND $3 = ANY (k.scopes) AND k.revoked_at IS NULL
    AND coalesce(least(a.expires_at, k.expires_at) > $2::timestamptz, true)
) AS signers
WHERE $4::timestamptz IS NULL OR (since, authorization_id) > ($4::timestamptz, $5::text)
ORDER BY since, authorization_id
LIMIT $6
