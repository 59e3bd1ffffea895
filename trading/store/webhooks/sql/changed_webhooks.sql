-- Webhooks that were created or changed after an engine_sequence, with their progress; deleted ones while
-- they are news, or have pending deliveries.
--
-- params   $1 engine_sequence, exclusive
-- returns  columns of webhook; position, round, request_sequence and failing_since of its progress, or how it begins
SELECT w.*,
       coalesce(p.position, w.created_sequence) AS position,
       coalesce(p.round, 0) AS round,
       coalesce(p.request_sequence, w.created_sequence) AS request_sequence,
       p.failing_since
FROM trading.webhook w
LEFT JOIN trading.webhook_progress p USING (webhook_id)
WHERE w.engine_sequence > $1
  AND (w.deleted_at IS NULL OR $1 > 0
       OR EXISTS (SELECT FROM trading.webhook_delivery d WHERE d.webhook_id = w.webhook_id AND d.status = 'pending'))
ORDER BY w.engine_sequence
