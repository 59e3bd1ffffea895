-- O6  Orders follow the state table of docs/state-machines/order.md, one version per transition; a terminal state is
-- final, and each state reached has its instant. The row of an order equals its last event, its reservation included.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH move (from_status, to_status) AS (
  VALUES ('received', 'validated'), ('received', 'rejected'),
    ('validated', 'open'), ('validated', 'partially_filled'), ('validated', 'filled'), ('validated', 'canceled'),
    ('validated', 'failed'),
    ('open', 'open'), ({{BOOKED_STATUSES}}), ('open', 'filled'), ('open', 'cancel_pending'), ('open', 'expired'),
    ('open', 'suspended'), ('open', 'canceled'), ('open', 'failed'),
    ('partially_filled', 'partially_filled'), ('partially_filled', 'filled'), ('partially_filled', 'cancel_pending'),
    ('partially_filled', 'expired'), ('partially_filled', 'suspended'), ('partially_filled', 'canceled'),
    ('partially_filled', 'failed'),
    ('cancel_pending', 'canceled'), ('cancel_pending', 'filled'),
    ('suspended', 'open'), ('suspended', 'partially_filled'), ('suspended', 'cancel_pending'), ('suspended', 'canceled'),
    ('suspended', 'expired')
), told AS (
  SELECT body->>'order_id' AS order_id, engine_sequence, body->>'status' AS status, (body->>'version')::integer AS version,
         body->>'reserved_amount' AS reserved, lag(body->>'reserved_amount') OVER earlier AS from_reserved,
         coalesce(lag(body->>'status') OVER earlier, 'received') AS from_status,
         coalesce(lag((body->>'version')::integer) OVER earlier, 1) AS from_version,
         row_number() OVER (PARTITION BY body->>'order_id' ORDER BY engine_sequence DESC) AS from_last
  FROM trading.engine_event
  WHERE kind = 'order'
  WINDOW earlier AS (PARTITION BY body->>'order_id' ORDER BY engine_sequence)
)
-- An adjustment tells an order that has ended once more, and a holding that covers more or less of a suspended SELL tells it: the
-- state stays.
SELECT order_id || ' at ' || engine_sequence AS subject, from_status || ' ' || from_version || ' to ' || status || ' ' || version AS found,
       'a move of the table, version + 1' AS expected
FROM told
WHERE version <> from_version + 1
   OR ((from_status, status) NOT IN (SELECT from_status, to_status FROM move)
     AND NOT (from_status = status AND status = 'suspended' AND reserved <> from_reserved)
     AND NOT (from_status = status AND order_id IN (SELECT order_id FROM trading.adjustment JOIN trading.fill USING (fill_id))))
UNION ALL
SELECT order_id, concat_ws(' ', orders.status, orders.version, reserved_amount, orders.transitions),
       concat_ws(' ', told.status, told.version, reserved)
FROM trading.orders LEFT JOIN told USING (order_id)
WHERE coalesce(from_last, 1) = 1
  AND ((orders.status, orders.version, reserved_amount::text) IS DISTINCT FROM (told.status, told.version, reserved)
    OR orders.transitions->>orders.status IS NULL);
