-- Tests and replays that accounts asked of a webhook after an engine_sequence, oldest first.
--
-- params   $1 account_id   $2 webhook_id   $3 engine_sequence, exclusive   $4 rows
-- returns  columns of engine_event, at
SELECT e.engine_sequence, e.kind, e.account_id, e.body, b.at
FROM trading.engine_event e
JOIN trading.engine_batch b USING (batch_sequence)
WHERE e.account_id = $1 AND e.kind = 'webhook' AND e.engine_sequence > $3
  AND e.body ->> 'webhook_id' = $2
  AND e.body ->> 'action' IN ('test_requested', 'replay_requested')
ORDER BY e.engine_sequence
LIMIT $4
