-- Settlement, resolution and marks: attempts of a rail, every move of a settlement, how markets end and what each position was
-- paid, and the marks that the engine was told. What is append-only says so.
--
-- returns  nothing; it extends the schema trading
SET LOCAL search_path TO trading;

-- A payout of a resolution has no fill: side SELL of what was held, BUY of what was owed, at the payout; no fee.
ALTER TABLE settlement ALTER COLUMN fill_id DROP NOT NULL;
ALTER TABLE settlement
  ADD COLUMN resolution_id   text,
  -- null: no rail was told of it yet.
  ADD COLUMN rail            text,
  ADD COLUMN attempt_count   integer NOT NULL DEFAULT 0,
  -- The attempt that is under way, or the last one.
  ADD COLUMN attempt_id      text,
  ADD COLUMN reversal_id     text,
  ADD COLUMN engine_sequence bigint NOT NULL DEFAULT 0;
CREATE INDEX settlement_by_fill ON settlement (fill_id);
UPDATE settlement SET engine_sequence = fill.engine_sequence FROM fill WHERE fill.settlement_id = settlement.settlement_id;
DROP INDEX settlement_unconfirmed;
CREATE INDEX settlement_unconfirmed ON settlement (asset_id, created_at, settlement_id) WHERE state IN ('pending', 'submitted', 'failed');

-- What a position waits for.
CREATE INDEX settlement_waiting ON settlement (account_id, outcome_id, created_at, settlement_id) WHERE state IN ('pending', 'submitted', 'failed');

-- What a private stream begins with.
CREATE INDEX orders_working_of ON orders (account_id, accepted_sequence) WHERE status IN ('open', 'partially_filled', 'cancel_pending', 'suspended');

-- One row an attempt: it is submitted once and concluded once.
CREATE TABLE settlement_attempt (
  attempt_id              text PRIMARY KEY,
  settlement_id           text NOT NULL,
  attempt_number          integer NOT NULL,
  rail                    text NOT NULL,
  -- submitted, confirmed, failed
  state                   text NOT NULL,
  submitted_at            timestamptz NOT NULL,
  concluded_at            timestamptz,
  external_reference      text,
  chain_id                text,
  transaction_hash        text,
  confirmation_count      integer,
  failure_code            text,
  message                 text,
  retryable               boolean,
  next_action             text,
  rail_response_reference text,
  UNIQUE (settlement_id, attempt_number)
);

-- Room in a page for what an attempt ends with.
ALTER TABLE settlement_attempt SET (fillfactor = 60);

-- Append-only: every move of a settlement after its first state, which is that of its record.
CREATE TABLE settlement_transition (
  engine_sequence bigint PRIMARY KEY,
  settlement_id   text NOT NULL,
  account_id      text NOT NULL,
  from_state      text NOT NULL,
  state           text NOT NULL,
  attempt_id      text,
  actor           text NOT NULL,
  reason          text NOT NULL,
  at              timestamptz NOT NULL
);
CREATE INDEX settlement_transition_by_settlement ON settlement_transition (settlement_id, engine_sequence);

-- Append-only.
CREATE TABLE settlement_reversal (
  reversal_id     text PRIMARY KEY,
  engine_sequence bigint NOT NULL UNIQUE,
  settlement_id   text NOT NULL UNIQUE,
  account_id      text NOT NULL,
  reason_code     text NOT NULL,
  rationale       text NOT NULL,
  evidence        json NOT NULL,
  actor           text NOT NULL,
  approved_by     text NOT NULL,
  -- What the house laid out because the account could not pay it back, in asset units.
  shortfall       bigint NOT NULL,
  at              timestamptz NOT NULL
);

-- One row a revision of how a market ends. Facts of a revision never change; finality and dispute move.
CREATE TABLE resolution (
  resolution_id          text PRIMARY KEY,
  market_id              text NOT NULL,
  revision               integer NOT NULL,
  supersedes_id          text,
  correction_reason      text,
  -- resolved, voided
  verdict                text NOT NULL,
  -- [{outcome_id, payout}] in the order of the outcomes; payout as written
  payouts                json NOT NULL,
  -- [{evidence_id, kind, source_uri, observed_at, content_hash}]
  evidence               json NOT NULL,
  resolver_kind          text NOT NULL,
  resolver_id            text,
  actor                  text NOT NULL,
  reason                 text NOT NULL,
  approved_by            text,
  proposed_at            timestamptz NOT NULL,
  dispute_window_ends_at timestamptz NOT NULL,
  -- proposed, disputed, final, withdrawn
  finality               text NOT NULL,
  finalized_at           timestamptz,
  -- null: nobody disputes it; else {dispute_id, state: open|upheld|rejected, filer, basis, decision, filed_at, decided_at}
  dispute                json,
  -- How many positions were paid, and whether all were.
  paid_count             integer NOT NULL,
  paid_at                timestamptz,
  engine_sequence        bigint NOT NULL,
  UNIQUE (market_id, revision)
);

-- Append-only: what one position was paid by one revision (a correction pays the difference). Amounts in asset units, signed
-- as the account sees them.
CREATE TABLE resolution_payout (
  resolution_id   text NOT NULL,
  account_id      text NOT NULL,
  outcome_id      text NOT NULL,
  market_id       text NOT NULL,
  -- Signed: what the first revision found as net quantity.
  net_quantity    bigint NOT NULL,
  payout          text NOT NULL,
  amount          bigint NOT NULL,
  -- What the house laid out.
  shortfall       bigint NOT NULL,
  -- null: nothing was to be moved.
  settlement_id   text,
  engine_sequence bigint NOT NULL,
  at              timestamptz NOT NULL,
  PRIMARY KEY (resolution_id, account_id, outcome_id)
);
CREATE INDEX resolution_payout_by_position ON resolution_payout (market_id, account_id, outcome_id);

-- The mark of an outcome, and the published record that it is from.
ALTER TABLE market_outcome
  ADD COLUMN mark_observation_id text,
  -- null: not resolved
  ADD COLUMN payout text;

-- Append-only: every mark that the engine was told.
CREATE TABLE outcome_mark (
  outcome_id          text NOT NULL,
  at                  timestamptz NOT NULL,
  market_id           text NOT NULL,
  -- null: there is none any more
  mark                bigint,
  mark_observation_id text,
  PRIMARY KEY (outcome_id, at)
);

-- How many settlements of a position's trades are not confirmed: a resolution pays it once there is none.
ALTER TABLE position ADD COLUMN open_settlements integer NOT NULL DEFAULT 0;
UPDATE position SET open_settlements = (
  SELECT count(*)
  FROM settlement
  WHERE (settlement.account_id, settlement.outcome_id) = (position.account_id, position.outcome_id)
    AND state <> 'confirmed' AND (notional <> 0 OR fee <> 0)
);

-- What was recorded before this: confirmations were acts of operators without attempts, marks stood in the acts alone. Each
-- confirmation becomes the one attempt that it was.
INSERT INTO settlement_attempt (attempt_id, settlement_id, attempt_number, rail, state, submitted_at, concluded_at)
SELECT 'att_' || settlement_id, settlement_id, 1, 'operator', 'confirmed', confirmed_at, confirmed_at
FROM settlement WHERE state = 'confirmed';
INSERT INTO settlement_transition (engine_sequence, settlement_id, account_id, from_state, state, attempt_id, actor, reason, at)
SELECT engine_sequence, settlement_id, account_id, 'pending', 'submitted', 'att_' || settlement_id, 'operator',
       'confirmed before attempts were recorded', confirmed_at
FROM settlement WHERE state = 'confirmed';
INSERT INTO settlement_transition (engine_sequence, settlement_id, account_id, from_state, state, attempt_id, actor, reason, at)
SELECT event.engine_sequence, settlement_id, settlement.account_id, 'submitted', 'confirmed', 'att_' || settlement_id, 'operator',
       'confirmed before attempts were recorded', confirmed_at
FROM engine_event AS event JOIN settlement ON settlement_id = body->>'settlement_id'
WHERE event.kind = 'settlement' AND body->>'state' = 'confirmed';
UPDATE settlement SET
  attempt_count = 1, attempt_id = 'att_' || settlement_id, rail = 'operator',
  engine_sequence = (SELECT max(moved.engine_sequence) FROM settlement_transition AS moved WHERE moved.settlement_id = settlement.settlement_id)
WHERE state = 'confirmed';
INSERT INTO outcome_mark (outcome_id, at, market_id, mark, mark_observation_id)
SELECT DISTINCT ON (command->>'outcome_id', at) command->>'outcome_id', at, command->>'market_id',
       trunc((command->>'mark')::numeric * 100000000)::bigint, NULL
FROM operator_act
WHERE command->>'kind' = 'set_mark'
ORDER BY command->>'outcome_id', at, act_id DESC;

-- What private streams ask: the newest event of a kind of an account before another.
CREATE INDEX engine_event_by_account_kind ON engine_event (account_id, kind, engine_sequence) WHERE account_id IS NOT NULL;
DROP INDEX engine_event_by_account;

-- What the public stream asks: the newest public event of an outcome (or of a market itself) before another, and its trades.
CREATE INDEX engine_event_by_subject ON engine_event ((coalesce(body ->> 'outcome_id', body ->> 'market_id')), kind, engine_sequence)
  WHERE account_id IS NULL;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_transition FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON resolution_payout FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON outcome_mark FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
