-- Reversals of settlements; each has at most one.
-- params: $1 settlement ids.
-- returns: columns of settlement_reversal
SELECT * FROM trading.settlement_reversal WHERE settlement_id = ANY ($1)
