-- Requests of each key, counted by minute, outcome and address.
--
-- returns  nothing; it extends the schema trading
-- rule     outcome is `used`, or why requests were refused; an empty address stands for several, an empty key for unknown ones. Rows are
--          deleted after 90 days.
SET LOCAL search_path TO trading;

CREATE TABLE api_key_activity (
  key_id  text NOT NULL,
  minute  timestamptz NOT NULL,
  outcome text NOT NULL,
  ip      text NOT NULL,
  count   bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, minute, outcome, ip)
);
CREATE INDEX api_key_activity_minute ON api_key_activity USING brin (minute) WITH (pages_per_range = 16);
