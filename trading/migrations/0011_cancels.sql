-- Cancels that are carried out in slices, who canceled an order, and when an order was received.
--
-- returns  nothing; it extends the schema trading
-- rule     a mass cancel is stored while it goes on, so that an engine that starts continues it; orders of before have no origin and no instant
SET LOCAL search_path TO trading;

ALTER TABLE orders
  ADD COLUMN cancel_command_id text,
  ADD COLUMN client_cancel_id text,
  ADD COLUMN cancel_reason text,
  ADD COLUMN received_at timestamptz;

CREATE INDEX orders_by_cancel ON orders (account_id, cancel_command_id) WITH (deduplicate_items = off)
  WHERE cancel_command_id IS NOT NULL;

CREATE TABLE mass_cancel (
  cancel_id            text PRIMARY KEY,
  account_id           text,
  market_ids           json,
  cancel_on_pause_only boolean NOT NULL,
  terminal_reason      text NOT NULL,
  cancel_command_id    text,
  client_cancel_id     text,
  cancel_reason        text,
  cutoff_sequence      bigint NOT NULL,
  at                   timestamptz NOT NULL,
  is_done              boolean NOT NULL
);

CREATE INDEX mass_cancel_working ON mass_cancel (at, cancel_id) WHERE NOT is_done;
