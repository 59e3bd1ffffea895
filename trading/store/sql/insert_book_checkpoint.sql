-- Stores a checkpoint of a book, unless it is stored already.
--
-- params   $1 text outcome_id   $2 bigint engine_sequence   $3 json levels
-- returns  nothing
INSERT INTO trading.book_checkpoint (outcome_id, engine_sequence, levels)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;
