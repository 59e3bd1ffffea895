-- Fills by id.
--
-- params   $1 text[] fill ids
-- returns  rows of fill
SELECT * FROM trading.fill WHERE fill_id = ANY ($1);
