-- Ladders that mass quotes place, and protections of market makers.
--
-- returns  nothing; it extends the schema trading
-- rule     orders from before belong to no ladder; a protection that was removed keeps its row, which is not active
SET LOCAL search_path TO trading;

ALTER TABLE orders ADD COLUMN quote_set_id text;

-- Instants and quantities are the engine's: fills of the current window, merged by instant.
CREATE TABLE market_maker_protection (
  account_id      text NOT NULL,
  market_id       text NOT NULL,
  fill_count_max  integer NOT NULL CHECK (fill_count_max > 0),
  quantity_max    bigint CHECK (quantity_max > 0),
  window_ms       integer NOT NULL,
  frozen_ms       integer NOT NULL,
  frozen_until    timestamptz,
  triggered_at    timestamptz,
  trigger_count   integer NOT NULL,
  window_fills    json NOT NULL,
  is_active       boolean NOT NULL,
  updated_at      timestamptz NOT NULL,
  engine_sequence bigint NOT NULL,
  PRIMARY KEY (account_id, market_id)
);
