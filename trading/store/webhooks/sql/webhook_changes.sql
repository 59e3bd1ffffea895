-- Changes of an account's webhooks, and requests to them, after an engine_sequence, oldest first.
--
-- params   $1 account_id   $2 engine_sequence, exclusive   $3 rows
-- returns  columns of engine_event, at
SELECT e.engine_sequence, e.kind, e.account_id, e.body, b.at
FROM trading.engine_event e
JOIN trading.engine_batch b USING (batch_sequence)
WHERE e.account_id = $1 AND e.kind = 'webhook' AND e.engine_sequence > $2
ORDER BY e.engine_sequence
LIMIT $3
