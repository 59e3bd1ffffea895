-- Made by `dumpSchema` from a migrated database; never edited by hand.
-- returns  nothing; it shows what the migrations make.

-- table accepted_nonce
CREATE UNLOGGED TABLE trading.accepted_nonce (
  key_id text NOT NULL,
  nonce text NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table account
CREATE TABLE trading.account (
  account_id text NOT NULL,
  owner_address text,
  label text NOT NULL,
  blocked boolean NOT NULL,
  policy json NOT NULL,
  cancel_after_ms integer,
  cancel_after_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL
);

-- table account_policy
CREATE TABLE trading.account_policy (
  account_id text NOT NULL,
  policy_id text NOT NULL,
  policy_version integer NOT NULL,
  policy json NOT NULL,
  at timestamp with time zone NOT NULL
);

-- view adjusted_trade
VIEW trading.adjusted_trade (
  trade_id text,
  engine_sequence bigint,
  quantity_delta numeric
)

-- table adjustment
CREATE TABLE trading.adjustment (
  adjustment_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  fill_id text NOT NULL,
  account_id text NOT NULL,
  adjustment_type text NOT NULL,
  quantity_delta bigint NOT NULL,
  notional_delta bigint NOT NULL,
  fee_delta bigint NOT NULL,
  reason_code text NOT NULL,
  rationale text NOT NULL,
  evidence json NOT NULL,
  actor text NOT NULL,
  approved_by text NOT NULL,
  approved_at timestamp with time zone NOT NULL,
  effective_at timestamp with time zone NOT NULL,
  published_at timestamp with time zone NOT NULL,
  supersedes_adjustment_id text
);

-- table api_key
CREATE TABLE trading.api_key (
  key_id text NOT NULL,
  account_id text NOT NULL,
  environment text NOT NULL,
  label text NOT NULL,
  algorithm text NOT NULL,
  scopes text[] NOT NULL,
  ip_allowlist text[] NOT NULL,
  secret_version integer NOT NULL,
  material text NOT NULL,
  previous_material text,
  previous_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoke_reason text
);

-- table api_key_activity
CREATE TABLE trading.api_key_activity (
  key_id text NOT NULL,
  minute timestamp with time zone NOT NULL,
  outcome text NOT NULL,
  ip text NOT NULL,
  count bigint NOT NULL,
  last_at timestamp with time zone NOT NULL
);

-- table api_key_audit
CREATE TABLE trading.api_key_audit (
  audit_id text NOT NULL,
  key_id text NOT NULL,
  action text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  request_id text,
  ip text,
  method text,
  path text,
  outcome text NOT NULL,
  by_key_id text,
  actor text,
  reason text
);

-- table api_key_use
CREATE UNLOGGED TABLE trading.api_key_use (
  key_id text NOT NULL,
  last_used_at timestamp with time zone NOT NULL
);

-- table asset
CREATE TABLE trading.asset (
  asset_id text NOT NULL,
  scale smallint NOT NULL
);

-- table balance
CREATE TABLE trading.balance (
  account_id text NOT NULL,
  asset_id text NOT NULL,
  total bigint NOT NULL,
  reserved bigint NOT NULL,
  withdrawal_hold bigint NOT NULL,
  pending_settlement_debit bigint NOT NULL,
  pending_settlement_credit bigint NOT NULL,
  projection_version bigint NOT NULL,
  ledger_sequence bigint NOT NULL,
  engine_sequence bigint NOT NULL
) WITH (fillfactor=40);

-- table book_checkpoint
CREATE TABLE trading.book_checkpoint (
  outcome_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  levels json NOT NULL
);

-- table engine_batch
CREATE TABLE trading.engine_batch (
  batch_sequence bigint NOT NULL,
  epoch bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  last_engine_sequence bigint NOT NULL,
  last_ledger_sequence bigint NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);

-- table engine_event
CREATE TABLE trading.engine_event (
  engine_sequence bigint NOT NULL,
  batch_sequence bigint NOT NULL,
  kind text NOT NULL,
  account_id text,
  body json NOT NULL
);

-- table engine_lease
CREATE TABLE trading.engine_lease (
  lease_id smallint NOT NULL,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  address text,
  token text,
  backend_pid integer,
  expires_at timestamp with time zone NOT NULL
) WITH (fillfactor=20);

-- table fee_schedule
CREATE TABLE trading.fee_schedule (
  schedule_id text NOT NULL,
  schedule_version integer NOT NULL,
  taker_rate text NOT NULL,
  maker_rate text NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table fill
CREATE TABLE trading.fill (
  fill_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  trade_id text NOT NULL,
  settlement_id text NOT NULL,
  order_id text NOT NULL,
  client_order_id text NOT NULL,
  account_id text NOT NULL,
  market_id text NOT NULL,
  outcome_id text NOT NULL,
  side text NOT NULL,
  liquidity_role text NOT NULL,
  price bigint NOT NULL,
  quantity bigint NOT NULL,
  notional bigint NOT NULL,
  fee bigint NOT NULL,
  fee_rate text NOT NULL,
  schedule_id text NOT NULL,
  schedule_version integer NOT NULL,
  uncovered_quantity bigint NOT NULL,
  short_credit bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  segments json,
  closed_quantity bigint,
  closing_fee bigint
);

-- table idempotent_answer
CREATE TABLE trading.idempotent_answer (
  account_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  idempotency_key text NOT NULL,
  body_hash text NOT NULL,
  status smallint NOT NULL,
  data text,
  error json,
  location text,
  at timestamp with time zone NOT NULL
);

-- table ledger_entry
CREATE TABLE trading.ledger_entry (
  ledger_sequence bigint NOT NULL,
  line smallint NOT NULL,
  kind text NOT NULL,
  account_id text NOT NULL,
  asset_id text NOT NULL,
  bucket text NOT NULL,
  amount bigint NOT NULL,
  reference_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table market
CREATE TABLE trading.market (
  market_id text NOT NULL,
  event_id text,
  status text NOT NULL,
  listed json NOT NULL,
  terms json NOT NULL,
  schedule_id text NOT NULL,
  schedule_version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL
);

-- table market_maker_protection
CREATE TABLE trading.market_maker_protection (
  account_id text NOT NULL,
  market_id text NOT NULL,
  fill_count_max integer NOT NULL,
  quantity_max bigint,
  window_ms integer NOT NULL,
  frozen_ms integer NOT NULL,
  frozen_until timestamp with time zone,
  triggered_at timestamp with time zone,
  trigger_count integer NOT NULL,
  window_fills json NOT NULL,
  is_active boolean NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  engine_sequence bigint NOT NULL
);

-- table market_outcome
CREATE TABLE trading.market_outcome (
  outcome_id text NOT NULL,
  market_id text NOT NULL,
  place smallint NOT NULL,
  label text NOT NULL,
  mark bigint,
  mark_observation_id text,
  payout text
);

-- table mass_cancel
CREATE TABLE trading.mass_cancel (
  cancel_id text NOT NULL,
  account_id text,
  market_ids json,
  cancel_on_pause_only boolean NOT NULL,
  terminal_reason text NOT NULL,
  cancel_command_id text,
  client_cancel_id text,
  cancel_reason text,
  cutoff_sequence bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  is_done boolean NOT NULL
);

-- table operator_act
CREATE TABLE trading.operator_act (
  act_id text NOT NULL,
  batch_sequence bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  command json NOT NULL,
  issued_at timestamp with time zone,
  command_hash text,
  signatures json NOT NULL DEFAULT '[]'::json
);

-- table operator_key
CREATE TABLE trading.operator_key (
  operator_key_id text NOT NULL,
  operator_id text NOT NULL,
  public_key text NOT NULL,
  environment text NOT NULL,
  registered_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone
);

-- table order_nonce
CREATE TABLE trading.order_nonce (
  account_id text NOT NULL,
  signer text NOT NULL,
  nonce text NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table orders
CREATE TABLE trading.orders (
  order_id text NOT NULL,
  command_id text NOT NULL,
  client_order_id text NOT NULL,
  account_id text NOT NULL,
  market_id text NOT NULL,
  outcome_id text NOT NULL,
  side text NOT NULL,
  limit_price text NOT NULL,
  quantity text NOT NULL,
  time_in_force text NOT NULL,
  expires_at timestamp with time zone,
  post_only boolean NOT NULL,
  reduce_only boolean NOT NULL,
  cancel_on_pause boolean NOT NULL,
  self_trade_prevention text NOT NULL,
  maximum_fee text NOT NULL,
  maximum_notional text NOT NULL,
  settlement_asset_id text NOT NULL,
  labels json,
  signer text NOT NULL,
  order_nonce text NOT NULL,
  signature_type text NOT NULL,
  signature_version text NOT NULL,
  order_signature text NOT NULL,
  digest text NOT NULL,
  contract_call json,
  policy_id text NOT NULL,
  policy_version integer NOT NULL,
  schedule_id text,
  schedule_version integer,
  price_scale smallint,
  quantity_scale smallint,
  accepted_sequence bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  version integer NOT NULL,
  terminal_reason text,
  rejection json,
  original_quantity bigint NOT NULL,
  filled_quantity bigint NOT NULL,
  remaining_quantity bigint NOT NULL,
  canceled_quantity bigint NOT NULL,
  filled_notional bigint NOT NULL,
  reserve_fee_base json NOT NULL,
  proceeds_fee_base json NOT NULL,
  fees bigint NOT NULL,
  reserved_amount bigint NOT NULL,
  uncovered_quantity bigint NOT NULL,
  replaced_by_order_id text,
  transitions json NOT NULL,
  engine_sequence bigint NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  cancel_command_id text,
  client_cancel_id text,
  cancel_reason text,
  received_at timestamp with time zone,
  trimmed_quantity bigint,
  quote_set_id text
) WITH (fillfactor=85);

-- table outcome_mark
CREATE TABLE trading.outcome_mark (
  outcome_id text NOT NULL,
  at timestamp with time zone NOT NULL,
  market_id text NOT NULL,
  mark bigint,
  mark_observation_id text
);

-- table position
CREATE TABLE trading.position (
  account_id text NOT NULL,
  outcome_id text NOT NULL,
  market_id text NOT NULL,
  net_quantity bigint NOT NULL,
  settled_quantity bigint NOT NULL,
  average_entry_price bigint,
  realized_pnl bigint NOT NULL,
  pending_short_credit bigint NOT NULL,
  order_reserve bigint NOT NULL,
  requirement bigint NOT NULL,
  covering bigint NOT NULL,
  reserved_sell_quantity bigint NOT NULL,
  source_fill_sequence bigint NOT NULL,
  projection_version bigint NOT NULL,
  engine_sequence bigint NOT NULL,
  open_settlements integer NOT NULL DEFAULT 0
) WITH (fillfactor=40);

-- table prevented_match
CREATE TABLE trading.prevented_match (
  prevented_match_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  account_id text NOT NULL,
  outcome_id text NOT NULL,
  taker_order_id text NOT NULL,
  maker_order_id text NOT NULL,
  mode text NOT NULL,
  price bigint NOT NULL,
  quantity bigint NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table request_nonce
CREATE TABLE trading.request_nonce (
  key_id text NOT NULL,
  nonce text NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table request_nonces_known
CREATE UNLOGGED TABLE trading.request_nonces_known (
  known_from timestamp with time zone NOT NULL,
  is_only boolean NOT NULL DEFAULT true
);

-- table resolution
CREATE TABLE trading.resolution (
  resolution_id text NOT NULL,
  market_id text NOT NULL,
  revision integer NOT NULL,
  supersedes_id text,
  correction_reason text,
  verdict text NOT NULL,
  payouts json NOT NULL,
  evidence json NOT NULL,
  resolver_kind text NOT NULL,
  resolver_id text,
  actor text NOT NULL,
  reason text NOT NULL,
  approved_by text,
  proposed_at timestamp with time zone NOT NULL,
  dispute_window_ends_at timestamp with time zone NOT NULL,
  finality text NOT NULL,
  finalized_at timestamp with time zone,
  dispute json,
  paid_count integer NOT NULL,
  paid_at timestamp with time zone,
  engine_sequence bigint NOT NULL
);

-- table resolution_payout
CREATE TABLE trading.resolution_payout (
  resolution_id text NOT NULL,
  account_id text NOT NULL,
  outcome_id text NOT NULL,
  market_id text NOT NULL,
  net_quantity bigint NOT NULL,
  payout text NOT NULL,
  amount bigint NOT NULL,
  shortfall bigint NOT NULL,
  settlement_id text,
  engine_sequence bigint NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table settlement
CREATE TABLE trading.settlement (
  settlement_id text NOT NULL,
  kind text NOT NULL,
  account_id text NOT NULL,
  fill_id text,
  market_id text NOT NULL,
  outcome_id text NOT NULL,
  asset_id text NOT NULL,
  side text NOT NULL,
  quantity bigint NOT NULL,
  notional bigint NOT NULL,
  fee bigint NOT NULL,
  short_credit bigint NOT NULL,
  state text NOT NULL,
  projection_version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  resolution_id text,
  rail text,
  attempt_count integer NOT NULL DEFAULT 0,
  attempt_id text,
  reversal_id text,
  engine_sequence bigint NOT NULL DEFAULT 0,
  closed_quantity bigint,
  closing_fee bigint,
  debit_amount bigint,
  credit_amount bigint,
  segments json
);

-- table settlement_attempt
CREATE TABLE trading.settlement_attempt (
  attempt_id text NOT NULL,
  settlement_id text NOT NULL,
  attempt_number integer NOT NULL,
  rail text NOT NULL,
  state text NOT NULL,
  submitted_at timestamp with time zone NOT NULL,
  concluded_at timestamp with time zone,
  external_reference text,
  chain_id text,
  transaction_hash text,
  confirmation_count integer,
  failure_code text,
  message text,
  retryable boolean,
  next_action text,
  rail_response_reference text
) WITH (fillfactor=60);

-- table settlement_reversal
CREATE TABLE trading.settlement_reversal (
  reversal_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  settlement_id text NOT NULL,
  account_id text NOT NULL,
  reason_code text NOT NULL,
  rationale text NOT NULL,
  evidence json NOT NULL,
  actor text NOT NULL,
  approved_by text NOT NULL,
  shortfall bigint NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table settlement_transition
CREATE TABLE trading.settlement_transition (
  engine_sequence bigint NOT NULL,
  settlement_id text NOT NULL,
  account_id text NOT NULL,
  from_state text NOT NULL,
  state text NOT NULL,
  attempt_id text,
  actor text NOT NULL,
  reason text NOT NULL,
  at timestamp with time zone NOT NULL
);

-- table signer_authorization
CREATE TABLE trading.signer_authorization (
  authorization_id text NOT NULL,
  account_id text NOT NULL,
  owner text NOT NULL,
  signer text NOT NULL,
  api_key_id text NOT NULL,
  scopes_hash text NOT NULL,
  environment text NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  nonce text NOT NULL,
  authorization_version text NOT NULL,
  signature_type text NOT NULL,
  signature text,
  at timestamp with time zone NOT NULL,
  purpose text NOT NULL DEFAULT 'create'::text
);

-- table trade
CREATE TABLE trading.trade (
  trade_id text NOT NULL,
  engine_sequence bigint NOT NULL,
  market_id text NOT NULL,
  outcome_id text NOT NULL,
  price bigint NOT NULL,
  quantity bigint NOT NULL,
  aggressor_side text NOT NULL,
  at timestamp with time zone NOT NULL,
  segments json
);

-- table transfer
CREATE TABLE trading.transfer (
  transfer_id text NOT NULL,
  account_id text NOT NULL,
  direction text NOT NULL,
  asset_id text NOT NULL,
  amount bigint NOT NULL,
  destination text,
  state text NOT NULL,
  command_id text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  external_reference text,
  reason text,
  projection_version integer NOT NULL,
  engine_sequence bigint NOT NULL
);

-- constraint trading."position" position_pkey
PRIMARY KEY (account_id, outcome_id);

-- constraint trading.accepted_nonce accepted_nonce_pkey
PRIMARY KEY (key_id, nonce);

-- constraint trading.account account_pkey
PRIMARY KEY (account_id);

-- constraint trading.account_policy account_policy_pkey
PRIMARY KEY (account_id, policy_id, policy_version);

-- constraint trading.adjustment adjustment_engine_sequence_key
UNIQUE (engine_sequence);

-- constraint trading.adjustment adjustment_pkey
PRIMARY KEY (adjustment_id);

-- constraint trading.api_key api_key_pkey
PRIMARY KEY (key_id);

-- constraint trading.api_key_activity api_key_activity_pkey
PRIMARY KEY (key_id, minute, outcome, ip);

-- constraint trading.api_key_audit api_key_audit_pkey
PRIMARY KEY (audit_id);

-- constraint trading.api_key_use api_key_use_pkey
PRIMARY KEY (key_id);

-- constraint trading.asset asset_pkey
PRIMARY KEY (asset_id);

-- constraint trading.asset asset_scale_check
CHECK (((scale >= 0) AND (scale <= 8)));

-- constraint trading.balance balance_check
CHECK (((account_id ~~ 'acct\_house\_%'::text) OR ((reserved >= 0) AND (withdrawal_hold >= 0) AND (pending_settlement_debit >= 0) AND ((((total - reserved) - withdrawal_hold) - pending_settlement_debit) >= 0))));

-- constraint trading.balance balance_pkey
PRIMARY KEY (account_id, asset_id);

-- constraint trading.book_checkpoint book_checkpoint_pkey
PRIMARY KEY (outcome_id, engine_sequence);

-- constraint trading.engine_batch engine_batch_at_key
UNIQUE (at);

-- constraint trading.engine_batch engine_batch_pkey
PRIMARY KEY (batch_sequence);

-- constraint trading.engine_event engine_event_pkey
PRIMARY KEY (engine_sequence);

-- constraint trading.engine_lease engine_lease_lease_id_check
CHECK ((lease_id = 1));

-- constraint trading.engine_lease engine_lease_pkey
PRIMARY KEY (lease_id);

-- constraint trading.fee_schedule fee_schedule_pkey
PRIMARY KEY (schedule_id, schedule_version);

-- constraint trading.fill fill_pkey
PRIMARY KEY (fill_id);

-- constraint trading.idempotent_answer idempotent_answer_pkey
PRIMARY KEY (account_id, idempotency_key, method, path);

-- constraint trading.ledger_entry ledger_entry_pkey
PRIMARY KEY (ledger_sequence, line);

-- constraint trading.market market_pkey
PRIMARY KEY (market_id);

-- constraint trading.market_maker_protection market_maker_protection_fill_count_max_check
CHECK ((fill_count_max > 0));

-- constraint trading.market_maker_protection market_maker_protection_pkey
PRIMARY KEY (account_id, market_id);

-- constraint trading.market_maker_protection market_maker_protection_quantity_max_check
CHECK ((quantity_max > 0));

-- constraint trading.market_outcome market_outcome_market_id_fkey
FOREIGN KEY (market_id) REFERENCES trading.market(market_id);

-- constraint trading.market_outcome market_outcome_market_id_place_key
UNIQUE (market_id, place);

-- constraint trading.market_outcome market_outcome_pkey
PRIMARY KEY (outcome_id);

-- constraint trading.mass_cancel mass_cancel_pkey
PRIMARY KEY (cancel_id);

-- constraint trading.operator_act operator_act_pkey
PRIMARY KEY (act_id);

-- constraint trading.operator_key operator_key_pkey
PRIMARY KEY (operator_key_id);

-- constraint trading.operator_key operator_key_public_key_key
UNIQUE (public_key);

-- constraint trading.order_nonce order_nonce_pkey
PRIMARY KEY (account_id, signer, nonce);

-- constraint trading.orders orders_check
CHECK (((filled_quantity >= 0) AND (filled_quantity <= original_quantity)));

-- constraint trading.orders orders_check1
CHECK ((((filled_quantity + remaining_quantity) + canceled_quantity) = original_quantity));

-- constraint trading.orders orders_pkey
PRIMARY KEY (order_id);

-- constraint trading.outcome_mark outcome_mark_pkey
PRIMARY KEY (outcome_id, at);

-- constraint trading.prevented_match prevented_match_pkey
PRIMARY KEY (prevented_match_id);

-- constraint trading.request_nonce request_nonce_pkey
PRIMARY KEY (key_id, nonce);

-- constraint trading.request_nonces_known request_nonces_known_is_only_check
CHECK (is_only);

-- constraint trading.request_nonces_known request_nonces_known_pkey
PRIMARY KEY (is_only);

-- constraint trading.resolution resolution_market_id_revision_key
UNIQUE (market_id, revision);

-- constraint trading.resolution resolution_pkey
PRIMARY KEY (resolution_id);

-- constraint trading.resolution_payout resolution_payout_pkey
PRIMARY KEY (resolution_id, account_id, outcome_id);

-- constraint trading.settlement settlement_pkey
PRIMARY KEY (settlement_id);

-- constraint trading.settlement_attempt settlement_attempt_pkey
PRIMARY KEY (attempt_id);

-- constraint trading.settlement_attempt settlement_attempt_settlement_id_attempt_number_key
UNIQUE (settlement_id, attempt_number);

-- constraint trading.settlement_reversal settlement_reversal_engine_sequence_key
UNIQUE (engine_sequence);

-- constraint trading.settlement_reversal settlement_reversal_pkey
PRIMARY KEY (reversal_id);

-- constraint trading.settlement_reversal settlement_reversal_settlement_id_key
UNIQUE (settlement_id);

-- constraint trading.settlement_transition settlement_transition_pkey
PRIMARY KEY (engine_sequence);

-- constraint trading.signer_authorization signer_authorization_account_id_owner_nonce_key
UNIQUE (account_id, owner, nonce);

-- constraint trading.signer_authorization signer_authorization_pkey
PRIMARY KEY (authorization_id);

-- constraint trading.trade trade_pkey
PRIMARY KEY (trade_id);

-- constraint trading.transfer transfer_amount_check
CHECK ((amount > 0));

-- constraint trading.transfer transfer_pkey
PRIMARY KEY (transfer_id);

-- index accepted_nonce_at
CREATE INDEX accepted_nonce_at ON trading.accepted_nonce USING brin (at) WITH (pages_per_range='16');

-- index accepted_nonce_pkey
CREATE UNIQUE INDEX accepted_nonce_pkey ON trading.accepted_nonce USING btree (key_id, nonce);

-- index account_pkey
CREATE UNIQUE INDEX account_pkey ON trading.account USING btree (account_id);

-- index account_policy_pkey
CREATE UNIQUE INDEX account_policy_pkey ON trading.account_policy USING btree (account_id, policy_id, policy_version);

-- index adjustment_by_account
CREATE INDEX adjustment_by_account ON trading.adjustment USING btree (account_id, engine_sequence);

-- index adjustment_by_fill
CREATE INDEX adjustment_by_fill ON trading.adjustment USING btree (fill_id);

-- index adjustment_engine_sequence_key
CREATE UNIQUE INDEX adjustment_engine_sequence_key ON trading.adjustment USING btree (engine_sequence);

-- index adjustment_pkey
CREATE UNIQUE INDEX adjustment_pkey ON trading.adjustment USING btree (adjustment_id);

-- index api_key_activity_minute
CREATE INDEX api_key_activity_minute ON trading.api_key_activity USING brin (minute) WITH (pages_per_range='16');

-- index api_key_activity_pkey
CREATE UNIQUE INDEX api_key_activity_pkey ON trading.api_key_activity USING btree (key_id, minute, outcome, ip);

-- index api_key_audit_by_key
CREATE INDEX api_key_audit_by_key ON trading.api_key_audit USING btree (key_id, occurred_at DESC, audit_id DESC);

-- index api_key_audit_pkey
CREATE UNIQUE INDEX api_key_audit_pkey ON trading.api_key_audit USING btree (audit_id);

-- index api_key_by_account
CREATE INDEX api_key_by_account ON trading.api_key USING btree (account_id);

-- index api_key_pkey
CREATE UNIQUE INDEX api_key_pkey ON trading.api_key USING btree (key_id);

-- index api_key_use_pkey
CREATE UNIQUE INDEX api_key_use_pkey ON trading.api_key_use USING btree (key_id);

-- index asset_pkey
CREATE UNIQUE INDEX asset_pkey ON trading.asset USING btree (asset_id);

-- index balance_pkey
CREATE UNIQUE INDEX balance_pkey ON trading.balance USING btree (account_id, asset_id);

-- index book_checkpoint_pkey
CREATE UNIQUE INDEX book_checkpoint_pkey ON trading.book_checkpoint USING btree (outcome_id, engine_sequence);

-- index engine_batch_at_key
CREATE UNIQUE INDEX engine_batch_at_key ON trading.engine_batch USING btree (at);

-- index engine_batch_pkey
CREATE UNIQUE INDEX engine_batch_pkey ON trading.engine_batch USING btree (batch_sequence);

-- index engine_event_by_account_kind
CREATE INDEX engine_event_by_account_kind ON trading.engine_event USING btree (account_id, kind, engine_sequence) WITH (deduplicate_items=off) WHERE (account_id IS NOT NULL);

-- index engine_event_by_subject
CREATE INDEX engine_event_by_subject ON trading.engine_event USING btree (COALESCE((body ->> 'outcome_id'::text), (body ->> 'market_id'::text)), kind, engine_sequence) WITH (deduplicate_items=off) WHERE (account_id IS NULL);

-- index engine_event_of_corrected
CREATE INDEX engine_event_of_corrected ON trading.engine_event USING btree (((body ->> 'trade_id'::text)), engine_sequence) WHERE (kind = 'trade_correction'::text);

-- index engine_event_pkey
CREATE UNIQUE INDEX engine_event_pkey ON trading.engine_event USING btree (engine_sequence);

-- index engine_lease_pkey
CREATE UNIQUE INDEX engine_lease_pkey ON trading.engine_lease USING btree (lease_id);

-- index fee_schedule_pkey
CREATE UNIQUE INDEX fee_schedule_pkey ON trading.fee_schedule USING btree (schedule_id, schedule_version);

-- index fill_by_account
CREATE INDEX fill_by_account ON trading.fill USING btree (account_id, engine_sequence DESC) WITH (deduplicate_items=off);

-- index fill_by_order
CREATE INDEX fill_by_order ON trading.fill USING btree (order_id);

-- index fill_pkey
CREATE UNIQUE INDEX fill_pkey ON trading.fill USING btree (fill_id);

-- index idempotent_answer_at
CREATE INDEX idempotent_answer_at ON trading.idempotent_answer USING brin (at) WITH (pages_per_range='16');

-- index idempotent_answer_pkey
CREATE UNIQUE INDEX idempotent_answer_pkey ON trading.idempotent_answer USING btree (account_id, idempotency_key, method, path);

-- index ledger_entry_by_account
CREATE INDEX ledger_entry_by_account ON trading.ledger_entry USING btree (hashtext(((account_id || ' '::text) || asset_id)), ledger_sequence) WITH (deduplicate_items=off);

-- index ledger_entry_pkey
CREATE UNIQUE INDEX ledger_entry_pkey ON trading.ledger_entry USING btree (ledger_sequence, line);

-- index market_maker_protection_pkey
CREATE UNIQUE INDEX market_maker_protection_pkey ON trading.market_maker_protection USING btree (account_id, market_id);

-- index market_outcome_market_id_place_key
CREATE UNIQUE INDEX market_outcome_market_id_place_key ON trading.market_outcome USING btree (market_id, place);

-- index market_outcome_pkey
CREATE UNIQUE INDEX market_outcome_pkey ON trading.market_outcome USING btree (outcome_id);

-- index market_pkey
CREATE UNIQUE INDEX market_pkey ON trading.market USING btree (market_id);

-- index mass_cancel_pkey
CREATE UNIQUE INDEX mass_cancel_pkey ON trading.mass_cancel USING btree (cancel_id);

-- index mass_cancel_working
CREATE INDEX mass_cancel_working ON trading.mass_cancel USING btree (at, cancel_id) WHERE (NOT is_done);

-- index operator_act_pkey
CREATE UNIQUE INDEX operator_act_pkey ON trading.operator_act USING btree (act_id);

-- index operator_act_signed
CREATE INDEX operator_act_signed ON trading.operator_act USING btree (batch_sequence) WHERE (command_hash IS NOT NULL);

-- index operator_key_pkey
CREATE UNIQUE INDEX operator_key_pkey ON trading.operator_key USING btree (operator_key_id);

-- index operator_key_public_key_key
CREATE UNIQUE INDEX operator_key_public_key_key ON trading.operator_key USING btree (public_key);

-- index order_nonce_pkey
CREATE UNIQUE INDEX order_nonce_pkey ON trading.order_nonce USING btree (account_id, signer, nonce);

-- index orders_by_account
CREATE INDEX orders_by_account ON trading.orders USING btree (account_id, created_at DESC, order_id DESC) WITH (deduplicate_items=off);

-- index orders_by_cancel
CREATE INDEX orders_by_cancel ON trading.orders USING btree (account_id, cancel_command_id) WITH (deduplicate_items=off) WHERE (cancel_command_id IS NOT NULL);

-- index orders_by_client_id
CREATE INDEX orders_by_client_id ON trading.orders USING btree (account_id, client_order_id) WITH (deduplicate_items=off);

-- index orders_pkey
CREATE UNIQUE INDEX orders_pkey ON trading.orders USING btree (order_id);

-- index orders_working
CREATE INDEX orders_working ON trading.orders USING btree (accepted_sequence) WITH (deduplicate_items=off) WHERE (status = ANY (ARRAY['open'::text, 'partially_filled'::text, 'suspended'::text]));

-- index orders_working_of
CREATE INDEX orders_working_of ON trading.orders USING btree (account_id, accepted_sequence) WITH (deduplicate_items=off) WHERE (status = ANY (ARRAY['open'::text, 'partially_filled'::text, 'cancel_pending'::text, 'suspended'::text]));

-- index outcome_mark_pkey
CREATE UNIQUE INDEX outcome_mark_pkey ON trading.outcome_mark USING btree (outcome_id, at);

-- index position_pkey
CREATE UNIQUE INDEX position_pkey ON trading."position" USING btree (account_id, outcome_id);

-- index prevented_match_by_order
CREATE INDEX prevented_match_by_order ON trading.prevented_match USING btree (taker_order_id);

-- index prevented_match_pkey
CREATE UNIQUE INDEX prevented_match_pkey ON trading.prevented_match USING btree (prevented_match_id);

-- index request_nonce_at
CREATE INDEX request_nonce_at ON trading.request_nonce USING brin (at) WITH (pages_per_range='16');

-- index request_nonce_pkey
CREATE UNIQUE INDEX request_nonce_pkey ON trading.request_nonce USING btree (key_id, nonce);

-- index request_nonces_known_pkey
CREATE UNIQUE INDEX request_nonces_known_pkey ON trading.request_nonces_known USING btree (is_only);

-- index resolution_market_id_revision_key
CREATE UNIQUE INDEX resolution_market_id_revision_key ON trading.resolution USING btree (market_id, revision);

-- index resolution_payout_by_position
CREATE INDEX resolution_payout_by_position ON trading.resolution_payout USING btree (market_id, account_id, outcome_id);

-- index resolution_payout_pkey
CREATE UNIQUE INDEX resolution_payout_pkey ON trading.resolution_payout USING btree (resolution_id, account_id, outcome_id);

-- index resolution_pkey
CREATE UNIQUE INDEX resolution_pkey ON trading.resolution USING btree (resolution_id);

-- index settlement_attempt_pkey
CREATE UNIQUE INDEX settlement_attempt_pkey ON trading.settlement_attempt USING btree (attempt_id);

-- index settlement_attempt_settlement_id_attempt_number_key
CREATE UNIQUE INDEX settlement_attempt_settlement_id_attempt_number_key ON trading.settlement_attempt USING btree (settlement_id, attempt_number);

-- index settlement_by_account
CREATE INDEX settlement_by_account ON trading.settlement USING btree (account_id, updated_at DESC, settlement_id DESC) WITH (deduplicate_items=off);

-- index settlement_pkey
CREATE UNIQUE INDEX settlement_pkey ON trading.settlement USING btree (settlement_id);

-- index settlement_reversal_engine_sequence_key
CREATE UNIQUE INDEX settlement_reversal_engine_sequence_key ON trading.settlement_reversal USING btree (engine_sequence);

-- index settlement_reversal_pkey
CREATE UNIQUE INDEX settlement_reversal_pkey ON trading.settlement_reversal USING btree (reversal_id);

-- index settlement_reversal_settlement_id_key
CREATE UNIQUE INDEX settlement_reversal_settlement_id_key ON trading.settlement_reversal USING btree (settlement_id);

-- index settlement_transition_by_settlement
CREATE INDEX settlement_transition_by_settlement ON trading.settlement_transition USING btree (settlement_id, engine_sequence);

-- index settlement_transition_pkey
CREATE UNIQUE INDEX settlement_transition_pkey ON trading.settlement_transition USING btree (engine_sequence);

-- index settlement_unconfirmed
CREATE INDEX settlement_unconfirmed ON trading.settlement USING btree (asset_id, created_at, settlement_id) WITH (deduplicate_items=off) WHERE (state = ANY (ARRAY['pending'::text, 'submitted'::text, 'failed'::text]));

-- index settlement_waiting
CREATE INDEX settlement_waiting ON trading.settlement USING btree (account_id, outcome_id, created_at, settlement_id) WITH (deduplicate_items=off) WHERE (state = ANY (ARRAY['pending'::text, 'submitted'::text, 'failed'::text]));

-- index signer_authorization_account_id_owner_nonce_key
CREATE UNIQUE INDEX signer_authorization_account_id_owner_nonce_key ON trading.signer_authorization USING btree (account_id, owner, nonce);

-- index signer_authorization_pkey
CREATE UNIQUE INDEX signer_authorization_pkey ON trading.signer_authorization USING btree (authorization_id);

-- index trade_pkey
CREATE UNIQUE INDEX trade_pkey ON trading.trade USING btree (trade_id);

-- index transfer_by_account
CREATE INDEX transfer_by_account ON trading.transfer USING btree (account_id, requested_at DESC, transfer_id DESC);

-- index transfer_open
CREATE INDEX transfer_open ON trading.transfer USING btree (requested_at) WHERE (state = ANY (ARRAY['requested'::text, 'held'::text]));

-- index transfer_pkey
CREATE UNIQUE INDEX transfer_pkey ON trading.transfer USING btree (transfer_id);

-- trigger trading.account_policy append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.account_policy FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.adjustment append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.adjustment FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.api_key_audit append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.api_key_audit FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.engine_batch append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.engine_batch FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.engine_event append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.engine_event FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.fee_schedule append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.fee_schedule FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.fill append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.fill FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.ledger_entry append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.operator_act append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.operator_act FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.order_nonce append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.order_nonce FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.outcome_mark append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.outcome_mark FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.prevented_match append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.prevented_match FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.resolution_payout append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.resolution_payout FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.settlement_reversal append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.settlement_reversal FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.settlement_transition append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.settlement_transition FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.signer_authorization append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.signer_authorization FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- trigger trading.trade append_only
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON trading.trade FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_change();

-- function hold_lease
CREATE OR REPLACE FUNCTION trading.hold_lease(mine bigint, lease_ms integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE trading.engine_lease SET expires_at = clock_timestamp() + lease_ms * interval '1 millisecond' WHERE epoch = mine;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease of epoch % is lost', mine USING ERRCODE = 'TK001';
  END IF;
END $function$
;

-- function refuse_change
CREATE OR REPLACE FUNCTION trading.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $function$
;
