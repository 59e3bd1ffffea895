-- Webhooks: addresses that receive events of an account. The events themselves follow from engine_event and have no table.
--
-- returns  nothing; it extends the schema trading
-- rule     the engine writes webhook; the one process that delivers writes the other three. A delivery is recorded before it
--          is sent and concluded after it was answered, so a kill between the two sends it once more, under the same id.
SET LOCAL search_path TO trading;

CREATE TABLE webhook (
  webhook_id         text PRIMARY KEY,
  account_id         text NOT NULL,
  url                text NOT NULL,
  description        text,
  event_types        text[] NOT NULL,
  status             text NOT NULL,
  disabled_reason    text,
  material           text NOT NULL,
  secret_version     integer NOT NULL,
  previous_material  text,
  previous_until     timestamptz,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  deleted_at         timestamptz,
  created_sequence   bigint NOT NULL,
  projection_version integer NOT NULL,
  engine_sequence    bigint NOT NULL
);
CREATE INDEX webhook_by_account ON webhook (account_id, created_at, webhook_id) WHERE deleted_at IS NULL;

-- Place of a webhook in its account's events: those up to `position` are concluded. `round` is the request that last moved it.
CREATE TABLE webhook_progress (
  webhook_id       text PRIMARY KEY,
  position         bigint NOT NULL,
  round            bigint NOT NULL,
  request_sequence bigint NOT NULL,
  failing_since    timestamptz
) WITH (fillfactor = 50);

CREATE TABLE webhook_delivery (
  delivery_id     text PRIMARY KEY,
  webhook_id      text NOT NULL,
  account_id      text NOT NULL,
  kind            text NOT NULL,
  event_id        text NOT NULL,
  event_type      text NOT NULL,
  sequence        bigint NOT NULL,
  status          text NOT NULL,
  attempt_count   integer NOT NULL,
  created_at      timestamptz NOT NULL,
  next_attempt_at timestamptz,
  first_failed_at timestamptz,
  concluded_at    timestamptz
);
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, created_at DESC, delivery_id DESC);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_id, created_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_age ON webhook_delivery USING brin (created_at) WITH (pages_per_range = 16);

CREATE TABLE webhook_attempt (
  delivery_id    text NOT NULL,
  attempt_number integer NOT NULL,
  attempted_at   timestamptz NOT NULL,
  duration_ms    integer NOT NULL,
  status_code    integer,
  failure        text,
  message        text,
  answer         text,
  PRIMARY KEY (delivery_id, attempt_number)
);

-- Markets change state rarely: their events are found without reading those of books and trades between them.
CREATE INDEX engine_event_of_markets ON engine_event (engine_sequence) WHERE kind = 'market';
