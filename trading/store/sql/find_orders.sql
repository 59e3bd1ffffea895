-- Orders by id, the orders of fills, and the newest order of each client id.
--
-- params   $1 text[] order ids   $2 text[] fill ids   $3 text[] and $4 text[] client ids: account_id, client_order_id
-- returns  rows of orders, each once
SELECT *
FROM trading.orders
WHERE order_id IN (
  SELECT unnest($1::text[])
  UNION SELECT order_id FROM trading.fill WHERE fill_id = ANY ($2::text[])
  UNION SELECT newest.order_id
  FROM unnest($3::text[], $4::text[]) AS asked (account_id, client_order_id)
  CROSS JOIN LATERAL (
    SELECT o.order_id
    FROM trading.orders o
    WHERE o.account_id = asked.account_id AND o.client_order_id = asked.client_order_id
    ORDER BY o.created_at DESC, o.engine_sequence DESC
    LIMIT 1
  ) AS newest
);
