-- Newest order of an account with a client id: the working one, if there is one, since no other may be created beside it.
-- params: $1 account_id, $2 client_order_id
-- returns: order_id; no row: there is none
SELECT order_id
FROM trading.orders
WHERE account_id = $1 AND client_order_id = $2
ORDER BY created_at DESC, engine_sequence DESC
LIMIT 1
