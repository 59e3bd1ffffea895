-- Keys end with the authorizations that made them.
--
-- returns  nothing; it changes rows of trading.api_key
-- rule     the owner signed until when the key may be used, so a key that was stored with a later end, or with none, ends then. A key
--          that was revoked keeps what it says.
SET LOCAL search_path TO trading;

UPDATE api_key AS k SET expires_at = least(k.expires_at, a.expires_at)
FROM signer_authorization AS a
WHERE a.api_key_id = k.key_id AND a.expires_at IS NOT NULL AND k.revoked_at IS NULL;
