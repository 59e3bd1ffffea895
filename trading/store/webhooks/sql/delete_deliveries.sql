-- Removes concluded deliveries from before an instant, with their attempts.
--
-- params   $1 instant, exclusive
-- returns  nothing
WITH removed AS (
  DELETE FROM trading.webhook_delivery WHERE created_at < $1::timestamptz AND status <> 'pending' RETURNING delivery_id
)
DELETE FROM trading.webhook_attempt WHERE delivery_id IN (SELECT delivery_id FROM removed)
