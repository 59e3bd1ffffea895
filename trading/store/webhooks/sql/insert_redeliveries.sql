-- Records deliveries of events that were delivered before.
--
-- params   $1 new delivery ids   $2 the delivery of each event before   $3 webhook_id   $4 now
-- returns  nothing
INSERT INTO trading.webhook_delivery
  (delivery_id, webhook_id, account_id, kind, event_id, event_type, sequence, status, attempt_count, created_at, next_attempt_at)
SELECT asked.delivery_id, d.webhook_id, d.account_id, CASE d.kind WHEN 'test' THEN 'test' ELSE 'redelivery' END,
       d.event_id, d.event_type, d.sequence, 'pending', 0, $4::timestamptz, $4::timestamptz
FROM unnest($1::text[], $2::text[]) AS asked (delivery_id, former_id)
JOIN trading.webhook_delivery d ON d.delivery_id = asked.former_id AND d.webhook_id = $3
ON CONFLICT (delivery_id) DO NOTHING
