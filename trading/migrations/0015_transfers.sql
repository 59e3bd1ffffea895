-- Deposits and withdrawals that accounts ask for. What operators book by hand has no row here.
--
-- returns  nothing; it extends the schema trading
-- rule     an open withdrawal is held in its balance; the terms of a transfer never change, its state does
SET LOCAL search_path TO trading;

CREATE TABLE transfer (
  transfer_id        text PRIMARY KEY,
  account_id         text NOT NULL,
  direction          text NOT NULL,
  asset_id           text NOT NULL,
  amount             bigint NOT NULL CHECK (amount > 0),
  destination        text,
  state              text NOT NULL,
  command_id         text NOT NULL,
  requested_at       timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  external_reference text,
  reason             text,
  projection_version integer NOT NULL,
  engine_sequence    bigint NOT NULL
);

CREATE INDEX transfer_by_account ON transfer (account_id, requested_at DESC, transfer_id DESC);
CREATE INDEX transfer_open ON transfer (requested_at) WHERE state IN ('requested', 'held');
