-- One fill, for operators.
-- params: $1 fill_id
-- returns: fill_id, account_id
SELECT fill_id, account_id FROM trading.fill WHERE fill_id = $1
