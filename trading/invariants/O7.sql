-- O7  No order is filled after its terminal state, nor after its expiry by the engine's clock.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH ended AS (
  SELECT body->>'order_id' AS order_id, min(engine_sequence) AS engine_sequence
  FROM trading.engine_event
  WHERE kind = 'order' AND body->>'status' IN ({{ENDED_ORDER_STATUSES}})
  GROUP BY body->>'order_id'
)
SELECT fill_id AS subject, fill.engine_sequence::text AS found, 'before ' || ended.engine_sequence AS expected
FROM trading.fill JOIN ended USING (order_id)
WHERE fill.engine_sequence > ended.engine_sequence
UNION ALL
SELECT fill_id, at::text, 'before ' || expires_at
FROM trading.fill JOIN trading.orders USING (order_id)
WHERE at >= expires_at;
