-- Nonces of all signed requests, which every API process shares.
--
-- returns  nothing; it extends the schema trading
-- rule     unlogged: a crash of the server empties both tables together. The next request then notes a new known_from, and requests that
--          were signed before it are refused, because their nonces may have been accepted.
SET LOCAL search_path TO trading;

CREATE UNLOGGED TABLE accepted_nonce (
  key_id text NOT NULL,
  nonce  text NOT NULL,
  at     timestamptz NOT NULL,
  PRIMARY KEY (key_id, nonce)
);
CREATE INDEX accepted_nonce_at ON accepted_nonce USING brin (at) WITH (pages_per_range = 16);

-- One row at most.
CREATE UNLOGGED TABLE request_nonces_known (
  known_from timestamptz NOT NULL,
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);
