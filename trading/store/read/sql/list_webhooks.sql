-- Webhooks of an account, oldest first, without the deleted ones.
--
-- params   $1 account_id   $2 webhook_id, or null: all   $3 created_at and $4 webhook_id of the last one before the page, or null
--          $5 rows
-- returns  columns of webhook
SELECT *
FROM trading.webhook
WHERE account_id = $1 AND deleted_at IS NULL
  AND ($2::text IS NULL OR webhook_id = $2)
  AND ($3::timestamptz IS NULL OR (created_at, webhook_id) > ($3::timestamptz, $4::text))
ORDER BY created_at, webhook_id
LIMIT $5
