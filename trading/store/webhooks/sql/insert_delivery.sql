-- Records a delivery before its first attempt; one that is recorded stays as it is.
--
-- params   $1 delivery_id   $2 webhook_id   $3 account_id   $4 kind   $5 event_id   $6 event_type   $7 sequence   $8 now
-- returns  nothing
INSERT INTO trading.webhook_delivery
  (delivery_id, webhook_id, account_id, kind, event_id, event_type, sequence, status, attempt_count, created_at, next_attempt_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::bigint, 'pending', 0, $8::timestamptz, $8::timestamptz)
ON CONFLICT (delivery_id) DO NOTHING
