-- D5  An order nonce and a client_order_id are accepted once: every order has its nonce, and no two working orders share
-- a client_order_id.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT account_id || ' ' || client_order_id AS subject, count(*)::text AS found, '1 working order' AS expected
FROM trading.orders
WHERE status IN ({{RESTING_STATUSES}})
GROUP BY account_id, client_order_id
HAVING count(*) > 1
UNION ALL
SELECT account_id || ' ' || signer || ' ' || order_nonce, count(*)::text, '1 order'
FROM trading.orders
GROUP BY account_id, signer, order_nonce
HAVING count(*) > 1
UNION ALL
SELECT order_id, 'no order nonce', order_nonce
FROM trading.orders
LEFT JOIN trading.order_nonce AS used ON (used.account_id, used.signer, used.nonce) = (orders.account_id, orders.signer, order_nonce)
WHERE used.nonce IS NULL;
