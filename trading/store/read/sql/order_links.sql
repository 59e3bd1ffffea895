-- Fills of an order and their settlements, oldest first.
-- params: $1 order_id.
-- returns: fill_id, settlement_id
SELECT fill_id, settlement_id
FROM trading.fill
WHERE order_id = $1
ORDER BY engine_sequence
