-- O2  No order was ever filled less than 0 or more than its quantity.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT order_id || ' at ' || event.engine_sequence AS subject, body->>'filled_quantity' AS found,
       '0 to ' || original_quantity AS expected
FROM trading.engine_event AS event JOIN trading.orders ON order_id = body->>'order_id'
WHERE kind = 'order' AND (body->>'filled_quantity')::bigint NOT BETWEEN 0 AND original_quantity;
