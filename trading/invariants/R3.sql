-- R3  An order in a terminal state reserves nothing.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT order_id AS subject, concat_ws(' ', reserved_amount, remaining_quantity, uncovered_quantity) AS found, '0 0 0' AS expected
FROM trading.orders
WHERE status IN ({{ENDED_ORDER_STATUSES}})
  AND (reserved_amount <> 0 OR remaining_quantity <> 0 OR uncovered_quantity <> 0);
