-- Deliveries of a webhook, newest first.
--
-- params   $1 webhook_id   $2 status, or null   $3 created_at and $4 delivery_id of the last one before the page, or null   $5 rows
-- returns  columns of webhook_delivery
SELECT *
FROM trading.webhook_delivery
WHERE webhook_id = $1
  AND ($2::text IS NULL OR status = $2)
  AND ($3::timestamptz IS NULL OR (created_at, delivery_id) < ($3::timestamptz, $4::text))
ORDER BY created_at DESC, delivery_id DESC
LIMIT $5
