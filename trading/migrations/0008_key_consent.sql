-- Changes of keys that the owner agreed to.
--
-- returns  nothing; it extends the schema trading
-- rule     an authorization of before made a key; later ones may also consent to a rotation or a revocation, which adds no signer
SET LOCAL search_path TO trading;

ALTER TABLE signer_authorization ADD COLUMN purpose text NOT NULL DEFAULT 'create';
-- Key whose request changed the key; null: an operator, or not recorded.
ALTER TABLE api_key_audit ADD COLUMN by_key_id text;
