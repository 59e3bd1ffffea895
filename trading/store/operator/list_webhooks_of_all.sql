-- Webhooks that exist, of all accounts or of one, oldest first, with what operators ask of them.
--
-- params   $1 account_id, or null   $2 webhook_id, or null
-- returns  columns of webhook; failing_since; pending_count
SELECT w.*, p.failing_since,
       (SELECT count(*)::integer FROM trading.webhook_delivery d
        WHERE d.webhook_id = w.webhook_id AND d.status = 'pending') AS pending_count
FROM trading.webhook w
LEFT JOIN trading.webhook_progress p USING (webhook_id)
WHERE w.deleted_at IS NULL
  AND ($1::text IS NULL OR w.account_id = $1)
  AND ($2::text IS NULL OR w.webhook_id = $2)
ORDER BY w.created_at, w.webhook_id
