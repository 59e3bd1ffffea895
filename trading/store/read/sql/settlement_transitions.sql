-- Moves of settlements, oldest first.
-- params: $1 settlement ids.
-- returns: columns of settlement_transition
SELECT * FROM trading.settlement_transition WHERE settlement_id = ANY ($1) ORDER BY engine_sequence
