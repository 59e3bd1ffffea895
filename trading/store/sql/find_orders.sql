-- Orders by id, and the orders of fills.
--
-- params   $1 text[] order ids   $2 text[] fill ids
-- returns  rows of orders, each once
SELECT *
FROM trading.orders
WHERE order_id IN (SELECT unnest($1::text[]) UNION SELECT order_id FROM trading.fill WHERE fill_id = ANY ($2::text[]));
