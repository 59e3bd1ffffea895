-- Trading state: one engine writes all of it, in one transaction a batch; everybody else reads.
-- Instants are those of the engine's clock. Prices, quantities and money are whole numbers: a price at its market's price_scale,
-- a quantity at its quantity_scale, money in the smallest unit of its asset. What is append-only says so.
--
-- returns  nothing; it makes the schema trading
CREATE SCHEMA trading;
SET LOCAL search_path TO trading;

-- Who may write: every batch's transaction renews it WHERE epoch = its own, so a former leader commits nothing.
-- Whoever connects to the leader's address must show the token: who can read this row may trade.
CREATE TABLE engine_lease (
  lease_id    smallint PRIMARY KEY CHECK (lease_id = 1),
  epoch       bigint NOT NULL,
  holder      text NOT NULL,
  address     text,
  token       text,
  backend_pid integer,
  expires_at  timestamptz NOT NULL
);

-- Renews the lease; raises TK001 where another holder has it. The row stays locked to the end of the transaction, so that nobody
-- takes the lease between this and the commit.
CREATE FUNCTION hold_lease(mine bigint, lease_ms integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE trading.engine_lease SET expires_at = clock_timestamp() + lease_ms * interval '1 millisecond' WHERE epoch = mine;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease of epoch % is lost', mine USING ERRCODE = 'TK001';
  END IF;
END $$;

-- Append-only. One row a committed batch: its stamp, the last numbers given out, and the link of the hash chain over its events.
CREATE TABLE engine_batch (
  batch_sequence       bigint PRIMARY KEY,
  epoch                bigint NOT NULL,
  at                   timestamptz NOT NULL UNIQUE,
  last_engine_sequence bigint NOT NULL,
  last_ledger_sequence bigint NOT NULL,
  previous_hash        bytea NOT NULL,
  hash                 bytea NOT NULL
);

-- Append-only, without gaps: audit log, source of private streams, resume cursor. Its batch is written with it, in one
-- transaction by one function; a foreign key would cost a look-up an event.
CREATE TABLE engine_event (
  engine_sequence bigint PRIMARY KEY,
  batch_sequence  bigint NOT NULL,
  kind            text NOT NULL,
  account_id      text,
  body            json NOT NULL
);
CREATE INDEX engine_event_by_account ON engine_event (account_id, engine_sequence) WHERE account_id IS NOT NULL;

-- Append-only: what operators and clients did beside orders, and why. `command` without secrets.
CREATE TABLE operator_act (
  act_id         text PRIMARY KEY,
  batch_sequence bigint NOT NULL,
  at             timestamptz NOT NULL,
  actor          text NOT NULL,
  reason         text NOT NULL,
  command        json NOT NULL
);

CREATE TABLE asset (
  asset_id text PRIMARY KEY,
  scale    smallint NOT NULL CHECK (scale BETWEEN 0 AND 8)
);

CREATE TABLE account (
  account_id      text PRIMARY KEY,
  owner_address   text,
  label           text NOT NULL,
  blocked         boolean NOT NULL,
  policy          json NOT NULL,
  cancel_after_ms integer,
  cancel_after_at timestamptz,
  created_at      timestamptz NOT NULL
);

-- Append-only: every version of every account's policy.
CREATE TABLE account_policy (
  account_id     text NOT NULL,
  policy_id      text NOT NULL,
  policy_version integer NOT NULL,
  policy         json NOT NULL,
  at             timestamptz NOT NULL,
  PRIMARY KEY (account_id, policy_id, policy_version)
);

-- Append-only.
CREATE TABLE fee_schedule (
  schedule_id      text NOT NULL,
  schedule_version integer NOT NULL,
  taker_rate       text NOT NULL,
  maker_rate       text NOT NULL,
  at               timestamptz NOT NULL,
  PRIMARY KEY (schedule_id, schedule_version)
);

-- `listed` is the listing as it was asked for: terms, title, rules, schedule.
CREATE TABLE market (
  market_id        text PRIMARY KEY,
  event_id         text,
  status           text NOT NULL,
  listed           json NOT NULL,
  terms            json NOT NULL,
  schedule_id      text NOT NULL,
  schedule_version integer NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL
);

CREATE TABLE market_outcome (
  outcome_id text PRIMARY KEY,
  market_id  text NOT NULL REFERENCES market,
  place      smallint NOT NULL,
  label      text NOT NULL,
  mark       bigint,
  UNIQUE (market_id, place)
);

-- One row an order, rejected ones included. The signed facts never change; the rest is the projection.
CREATE TABLE orders (
  order_id              text PRIMARY KEY,
  command_id            text NOT NULL,
  client_order_id       text NOT NULL,
  account_id            text NOT NULL,
  market_id             text NOT NULL,
  outcome_id            text NOT NULL,
  side                  text NOT NULL,
  limit_price           text NOT NULL,
  quantity              text NOT NULL,
  time_in_force         text NOT NULL,
  expires_at            timestamptz,
  post_only             boolean NOT NULL,
  reduce_only           boolean NOT NULL,
  cancel_on_pause       boolean NOT NULL,
  self_trade_prevention text NOT NULL,
  maximum_fee           text NOT NULL,
  maximum_notional      text NOT NULL,
  settlement_asset_id   text NOT NULL,
  labels                json,
  signer                text NOT NULL,
  order_nonce           text NOT NULL,
  signature_type        text NOT NULL,
  signature_version     text NOT NULL,
  order_signature       text NOT NULL,
  digest                text NOT NULL,
  -- Of a smart account: block number and result of the call that verified it.
  contract_call         json,
  policy_id             text NOT NULL,
  policy_version        integer NOT NULL,
  schedule_id           text,
  schedule_version      integer,
  -- null: rejected before it was measured.
  price_scale           smallint,
  quantity_scale        smallint,
  accepted_sequence     bigint NOT NULL,
  created_at            timestamptz NOT NULL,
  status                text NOT NULL,
  version               integer NOT NULL,
  terminal_reason       text,
  rejection             json,
  original_quantity     bigint NOT NULL,
  filled_quantity       bigint NOT NULL,
  remaining_quantity    bigint NOT NULL,
  canceled_quantity     bigint NOT NULL,
  filled_notional       bigint NOT NULL,
  reserve_fee_base      json NOT NULL,
  proceeds_fee_base     json NOT NULL,
  fees                  bigint NOT NULL,
  reserved_amount       bigint NOT NULL,
  uncovered_quantity    bigint NOT NULL,
  replaced_by_order_id  text,
  -- Status to instant, for every state reached.
  transitions           json NOT NULL,
  engine_sequence       bigint NOT NULL,
  updated_at            timestamptz NOT NULL,
  CHECK (filled_quantity >= 0 AND filled_quantity <= original_quantity),
  CHECK (filled_quantity + remaining_quantity + canceled_quantity = original_quantity)
);
CREATE INDEX orders_working ON orders (accepted_sequence) WHERE status IN ('open', 'partially_filled', 'suspended');
CREATE INDEX orders_by_account ON orders (account_id, created_at DESC, order_id DESC);
CREATE INDEX orders_by_client_id ON orders (account_id, client_order_id);

-- Append-only.
CREATE TABLE trade (
  trade_id        text PRIMARY KEY,
  engine_sequence bigint NOT NULL,
  market_id       text NOT NULL,
  outcome_id      text NOT NULL,
  price           bigint NOT NULL,
  quantity        bigint NOT NULL,
  aggressor_side  text NOT NULL,
  at              timestamptz NOT NULL
);

-- Append-only. One side of a trade.
CREATE TABLE fill (
  fill_id            text PRIMARY KEY,
  engine_sequence    bigint NOT NULL UNIQUE,
  trade_id           text NOT NULL,
  settlement_id      text NOT NULL UNIQUE,
  order_id           text NOT NULL,
  client_order_id    text NOT NULL,
  account_id         text NOT NULL,
  market_id          text NOT NULL,
  outcome_id         text NOT NULL,
  side               text NOT NULL,
  liquidity_role     text NOT NULL,
  price              bigint NOT NULL,
  quantity           bigint NOT NULL,
  notional           bigint NOT NULL,
  fee                bigint NOT NULL,
  fee_rate           text NOT NULL,
  schedule_id        text NOT NULL,
  schedule_version   integer NOT NULL,
  uncovered_quantity bigint NOT NULL,
  short_credit       bigint NOT NULL,
  at                 timestamptz NOT NULL
);
CREATE INDEX fill_by_account ON fill (account_id, engine_sequence DESC);
CREATE INDEX fill_by_order ON fill (order_id);

-- Append-only. A match that self-trade prevention kept from happening.
CREATE TABLE prevented_match (
  prevented_match_id text PRIMARY KEY,
  engine_sequence    bigint NOT NULL,
  account_id         text NOT NULL,
  outcome_id         text NOT NULL,
  taker_order_id     text NOT NULL,
  maker_order_id     text NOT NULL,
  mode               text NOT NULL,
  price              bigint NOT NULL,
  quantity           bigint NOT NULL,
  at                 timestamptz NOT NULL
);
CREATE INDEX prevented_match_by_order ON prevented_match (taker_order_id);

-- Append-only double entry: the lines of one ledger_sequence sum to 0 per asset; outcomes are assets too.
CREATE TABLE ledger_entry (
  ledger_sequence bigint NOT NULL,
  line            smallint NOT NULL,
  kind            text NOT NULL,
  account_id      text NOT NULL,
  asset_id        text NOT NULL,
  bucket          text NOT NULL,
  amount          bigint NOT NULL,
  reference_id    text NOT NULL,
  engine_sequence bigint NOT NULL,
  at              timestamptz NOT NULL,
  PRIMARY KEY (ledger_sequence, line)
);
CREATE INDEX ledger_entry_by_account ON ledger_entry (account_id, asset_id, ledger_sequence);

CREATE TABLE balance (
  account_id                text NOT NULL,
  asset_id                  text NOT NULL,
  total                     bigint NOT NULL,
  reserved                  bigint NOT NULL,
  withdrawal_hold           bigint NOT NULL,
  pending_settlement_debit  bigint NOT NULL,
  pending_settlement_credit bigint NOT NULL,
  projection_version        bigint NOT NULL,
  ledger_sequence           bigint NOT NULL,
  engine_sequence           bigint NOT NULL,
  PRIMARY KEY (account_id, asset_id),
  CHECK (account_id LIKE 'acct\_house\_%' OR (reserved >= 0 AND withdrawal_hold >= 0 AND pending_settlement_debit >= 0
         AND total - reserved - withdrawal_hold - pending_settlement_debit >= 0))
);

CREATE TABLE position (
  account_id           text NOT NULL,
  outcome_id           text NOT NULL,
  market_id            text NOT NULL,
  net_quantity         bigint NOT NULL,
  settled_quantity     bigint NOT NULL,
  average_entry_price  bigint,
  realized_pnl         bigint NOT NULL,
  pending_short_credit bigint NOT NULL,
  order_reserve        bigint NOT NULL,
  requirement          bigint NOT NULL,
  covering             bigint NOT NULL,
  reserved_sell_quantity bigint NOT NULL,
  source_fill_sequence bigint NOT NULL,
  projection_version   bigint NOT NULL,
  engine_sequence      bigint NOT NULL,
  PRIMARY KEY (account_id, outcome_id)
);

-- One row a fill side. Its moves never change an order or a fill.
CREATE TABLE settlement (
  settlement_id      text PRIMARY KEY,
  kind               text NOT NULL,
  account_id         text NOT NULL,
  fill_id            text NOT NULL,
  market_id          text NOT NULL,
  outcome_id         text NOT NULL,
  asset_id           text NOT NULL,
  side               text NOT NULL,
  quantity           bigint NOT NULL,
  notional           bigint NOT NULL,
  fee                bigint NOT NULL,
  short_credit       bigint NOT NULL,
  state              text NOT NULL,
  projection_version integer NOT NULL,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  confirmed_at       timestamptz
);
CREATE INDEX settlement_by_account ON settlement (account_id, updated_at DESC, settlement_id DESC);
CREATE INDEX settlement_unconfirmed ON settlement (created_at) WHERE state IN ('pending', 'submitted', 'failed');

-- Append-only.
CREATE TABLE adjustment (
  adjustment_id            text PRIMARY KEY,
  engine_sequence          bigint NOT NULL UNIQUE,
  fill_id                  text NOT NULL,
  account_id               text NOT NULL,
  adjustment_type          text NOT NULL,
  quantity_delta           bigint NOT NULL,
  notional_delta           bigint NOT NULL,
  fee_delta                bigint NOT NULL,
  reason_code              text NOT NULL,
  rationale                text NOT NULL,
  evidence                 json NOT NULL,
  actor                    text NOT NULL,
  approved_by              text NOT NULL,
  approved_at              timestamptz NOT NULL,
  effective_at             timestamptz NOT NULL,
  published_at             timestamptz NOT NULL,
  supersedes_adjustment_id text
);
CREATE INDEX adjustment_by_fill ON adjustment (fill_id);
CREATE INDEX adjustment_by_account ON adjustment (account_id, engine_sequence);

CREATE TABLE api_key (
  key_id         text PRIMARY KEY,
  account_id     text NOT NULL,
  environment    text NOT NULL,
  label          text NOT NULL,
  algorithm      text NOT NULL,
  scopes         text[] NOT NULL,
  ip_allowlist   text[] NOT NULL,
  secret_version integer NOT NULL,
  -- Sealed HMAC secret, or the client's public key; hex. The former one stays valid to previous_until.
  material       text NOT NULL,
  previous_material text,
  previous_until timestamptz,
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz,
  revoked_at     timestamptz,
  revoke_reason  text
);
CREATE INDEX api_key_by_account ON api_key (account_id);

-- When a key was last used: a hint, written past the engine, of no effect on anything.
CREATE UNLOGGED TABLE api_key_use (
  key_id       text PRIMARY KEY,
  last_used_at timestamptz NOT NULL
);

-- Append-only.
CREATE TABLE api_key_audit (
  audit_id    text PRIMARY KEY,
  key_id      text NOT NULL,
  action      text NOT NULL,
  occurred_at timestamptz NOT NULL,
  request_id  text,
  ip          text,
  method      text,
  path        text,
  outcome     text NOT NULL
);
CREATE INDEX api_key_audit_by_key ON api_key_audit (key_id, occurred_at DESC, audit_id DESC);

-- Append-only. Who may sign for an account, and through which key.
CREATE TABLE signer_authorization (
  authorization_id      text PRIMARY KEY,
  account_id            text NOT NULL,
  owner                 text NOT NULL,
  signer                text NOT NULL,
  api_key_id            text NOT NULL,
  scopes_hash           text NOT NULL,
  environment           text NOT NULL,
  issued_at             timestamptz NOT NULL,
  expires_at            timestamptz,
  nonce                 text NOT NULL,
  authorization_version text NOT NULL,
  signature_type        text NOT NULL,
  -- null: recorded by an operator.
  signature             text,
  at                    timestamptz NOT NULL,
  UNIQUE (account_id, owner, nonce)
);

-- Replay controls. The first two are deleted once their windows have passed; the third is kept for ever.
CREATE TABLE request_nonce (
  key_id text NOT NULL,
  nonce  text NOT NULL,
  at     timestamptz NOT NULL,
  PRIMARY KEY (key_id, nonce)
);
CREATE INDEX request_nonce_at ON request_nonce USING brin (at) WITH (pages_per_range = 16);
CREATE TABLE idempotent_answer (
  account_id      text NOT NULL,
  method          text NOT NULL,
  path            text NOT NULL,
  idempotency_key text NOT NULL,
  body_hash       text NOT NULL,
  status          smallint NOT NULL,
  data            text,
  error           json,
  location        text,
  at              timestamptz NOT NULL,
  PRIMARY KEY (account_id, idempotency_key, method, path)
);
CREATE INDEX idempotent_answer_at ON idempotent_answer USING brin (at) WITH (pages_per_range = 16);
CREATE TABLE order_nonce (
  account_id text NOT NULL,
  signer     text NOT NULL,
  nonce      text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (account_id, signer, nonce)
);

-- Room in a page for the next version of a row that changes with every batch: no index has to learn of it.
ALTER TABLE engine_lease SET (fillfactor = 20);
ALTER TABLE balance SET (fillfactor = 40);
ALTER TABLE position SET (fillfactor = 40);
ALTER TABLE orders SET (fillfactor = 85);

-- Published facts are never changed.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON engine_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON engine_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_act FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON account_policy FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON fee_schedule FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trade FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON fill FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON prevented_match FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON adjustment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON api_key_audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON signer_authorization FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_nonce FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
