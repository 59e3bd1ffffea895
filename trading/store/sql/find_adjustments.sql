-- All adjustments of fills, oldest first.
--
-- params   $1 text[] fill ids
-- returns  rows of adjustment
SELECT * FROM trading.adjustment WHERE fill_id = ANY ($1) ORDER BY engine_sequence;
