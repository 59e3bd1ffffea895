-- Attempts of deliveries, each list oldest first.
--
-- params   $1 delivery ids
-- returns  columns of webhook_attempt
SELECT * FROM trading.webhook_attempt WHERE delivery_id = ANY ($1) ORDER BY delivery_id, attempt_number
