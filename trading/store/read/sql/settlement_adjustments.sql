-- Adjustments of the fills of settlements, oldest first.
-- params: $1 fill ids.
-- returns: columns of adjustment
SELECT * FROM trading.adjustment WHERE fill_id = ANY ($1) ORDER BY engine_sequence
