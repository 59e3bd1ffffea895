-- Last event before the batch of an event.
-- params: $1 engine_sequence.
-- returns: engine_sequence of the last event before the batch, 0 if none; no row: no such event
SELECT coalesce(
  (SELECT last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = e.batch_sequence - 1), 0
) AS engine_sequence
FROM trading.engine_event e
WHERE e.engine_sequence = $1
