-- Cancels the pending deliveries of a webhook: those in order, or all of them.
--
-- params   $1 webhook_id   $2 kinds   $3 now
-- returns  nothing
UPDATE trading.webhook_delivery
SET status = 'canceled', next_attempt_at = NULL, concluded_at = $3::timestamptz
WHERE webhook_id = $1 AND status = 'pending' AND kind = ANY ($2::text[])
