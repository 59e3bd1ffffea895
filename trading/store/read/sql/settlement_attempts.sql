-- Attempts of settlements, oldest first.
-- params: $1 settlement ids.
-- returns: columns of settlement_attempt
SELECT * FROM trading.settlement_attempt WHERE settlement_id = ANY ($1) ORDER BY attempt_number
