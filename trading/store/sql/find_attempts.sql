-- Attempts of settlements by id.
--
-- params   $1 text[] attempt ids
-- returns  rows of settlement_attempt
SELECT * FROM trading.settlement_attempt WHERE attempt_id = ANY ($1);
