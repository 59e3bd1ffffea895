-- Starts of rules that orders of earlier versions need not follow, for the audit.
--
-- returns  nothing; it extends the schema trading
-- rule     orders accepted after `engine_sequence` follow the rule; a start never changes
SET LOCAL search_path TO trading;

CREATE TABLE rule_start (
  rule            text PRIMARY KEY,
  engine_sequence bigint NOT NULL
);

INSERT INTO rule_start SELECT 'reduce_only_fok_is_whole', coalesce(max(last_engine_sequence), 0) FROM engine_batch;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON rule_start FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
