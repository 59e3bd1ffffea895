-- Attempts of a settlement, oldest first.
-- params: $1 settlement_id
-- returns: attempt_id, attempt_number, rail, state, submitted_at, concluded_at, failure_code, message, retryable, next_action,
--          external_reference, rail_response_reference
SELECT attempt_id, attempt_number, rail, state, submitted_at, concluded_at, failure_code, message, retryable, next_action,
       external_reference, rail_response_reference
  FROM trading.settlement_attempt
 WHERE settlement_id = $1
 ORDER BY attempt_number
