-- Deliveries of a webhook among the named ones.
--
-- params   $1 webhook_id   $2 delivery ids
-- returns  delivery_id
SELECT delivery_id FROM trading.webhook_delivery WHERE webhook_id = $1 AND delivery_id = ANY ($2)
