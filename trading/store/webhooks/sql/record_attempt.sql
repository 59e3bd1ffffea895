-- Records an attempt, and what it made of its delivery.
--
-- params   $1 delivery_id   $2 attempt_number   $3 attempted_at   $4 duration_ms   $5 status_code   $6 failure   $7 message
--          $8 answer   $9 status of the delivery   $10 next_attempt_at, or null   $11 first_failed_at, or null
--          $12 concluded_at, or null
-- returns  nothing
WITH attempt AS (
  INSERT INTO trading.webhook_attempt
    (delivery_id, attempt_number, attempted_at, duration_ms, status_code, failure, message, answer)
  VALUES ($1, $2::integer, $3::timestamptz, $4::integer, $5::integer, $6, $7, $8)
)
UPDATE trading.webhook_delivery
SET attempt_count = $2::integer, status = $9, next_attempt_at = $10::timestamptz, first_failed_at = $11::timestamptz,
    concluded_at = $12::timestamptz
WHERE delivery_id = $1
