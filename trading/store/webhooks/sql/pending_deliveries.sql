-- Deliveries of a webhook that are not concluded, oldest first; those in order are one at most.
--
-- params   $1 webhook_id
-- returns  columns of webhook_delivery
SELECT * FROM trading.webhook_delivery WHERE webhook_id = $1 AND status = 'pending' ORDER BY created_at, sequence, delivery_id
