-- The last event of one kind of an account before an engine_sequence.
--
-- params   $1 account_id   $2 kind   $3 engine_sequence, exclusive
-- returns  columns of engine_event, at, last_engine_sequence; no row: none
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body, b.at, b.last_engine_sequence
FROM (
  SELECT * FROM trading.engine_event
  WHERE account_id = $1 AND kind = $2 AND engine_sequence < $3
  ORDER BY engine_sequence DESC LIMIT 1
) e
CROSS JOIN LATERAL (
  SELECT at, last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = e.batch_sequence
) b
