-- O2  At no time has an order executed less than nothing or more than it asked for.
--
-- returns  subject, found, expected: one row a violation; none where it holds
SELECT order_id || ' at ' || event.engine_sequence AS subject, body->>'filled_quantity' AS found,
       '0 to ' || original_quantity AS expected
FROM trading.engine_event AS event JOIN trading.orders ON order_id = body->>'order_id'
WHERE kind = 'order' AND (body->>'filled_quantity')::bigint NOT BETWEEN 0 AND original_quantity;
