-- Who changed a key by an operator's act, and why a key was changed. Entries from before have neither.
--
-- returns  nothing; it extends the schema trading
SET LOCAL search_path TO trading;

-- Person whose act changed the key; null: a request of the key `by_key_id`.
ALTER TABLE api_key_audit ADD COLUMN actor text;
ALTER TABLE api_key_audit ADD COLUMN reason text;
