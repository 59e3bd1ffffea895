-- Webhooks that a batch names, and those of accounts that write to one, each with its tests and replays that wait.
--
-- params   $1 text[] webhook_ids   $2 text[] account_ids
-- returns  columns of webhook, waiting_count
SELECT w.*, waiting.waiting_count
FROM (
  SELECT * FROM trading.webhook WHERE webhook_id = ANY ($1::text[])
  UNION
  SELECT w.*
  FROM unnest($2::text[]) AS asked (account_id)
  JOIN trading.webhook w USING (account_id)
  WHERE w.deleted_at IS NULL
) w
LEFT JOIN trading.webhook_progress p USING (webhook_id)
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS waiting_count
  FROM trading.engine_event e
  WHERE e.account_id = w.account_id
    AND e.kind = 'webhook'
    AND e.engine_sequence > coalesce(p.request_sequence, w.created_sequence)
    AND e.body ->> 'webhook_id' = w.webhook_id
    AND e.body ->> 'action' IN ({{WEBHOOK_REQUESTS}})
) waiting
