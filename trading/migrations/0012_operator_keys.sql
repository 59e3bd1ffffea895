-- Keys with which operators sign their acts, and the signatures of each act. The first key of a database is the root: it binds
-- signatures to this database, and every later key is registered by a signed act. Acts from before stay as they are.
--
-- returns  nothing; it extends the schema trading
SET LOCAL search_path TO trading;

CREATE TABLE operator_key (
  operator_key_id text PRIMARY KEY,
  -- Person who holds the key; one person may hold several.
  operator_id text NOT NULL,
  -- Ed25519, lower-case hex.
  public_key text NOT NULL UNIQUE,
  -- The deployment's environment, the same for all keys.
  environment text NOT NULL,
  registered_at timestamptz NOT NULL,
  revoked_at timestamptz
);

ALTER TABLE operator_act
  ADD COLUMN issued_at timestamptz,
  -- SHA-256 of the command's RFC 8785 form, which signatures cover; `command` is stored without secrets.
  ADD COLUMN command_hash text,
  -- [{operator_key_id, signature}], empty for services and where no operator is registered.
  ADD COLUMN signatures json NOT NULL DEFAULT '[]';

-- What the audit reads of each stretch of the hash chain.
CREATE INDEX operator_act_signed ON operator_act (batch_sequence) WHERE command_hash IS NOT NULL;
