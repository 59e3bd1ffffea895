-- D7  Every committed change has an event; each row equals its last event. This covers orders, balances, positions and
-- fills.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT order_id AS subject, 'order at ' || orders.engine_sequence AS found, 'at ' || told.engine_sequence AS expected
FROM trading.orders
LEFT JOIN (
  SELECT body->>'order_id' AS order_id, max(engine_sequence) AS engine_sequence
  FROM trading.engine_event
  WHERE kind = 'order'
  GROUP BY body->>'order_id'
) AS told USING (order_id)
WHERE told.engine_sequence IS DISTINCT FROM orders.engine_sequence
UNION ALL
SELECT account_id || ' ' || asset_id, 'balance ' || balance.projection_version, 'projection_version ' || told.projection_version
FROM trading.balance
LEFT JOIN (
  SELECT account_id, body->>'asset_id' AS asset_id, max((body->>'projection_version')::bigint) AS projection_version
  FROM trading.engine_event
  WHERE kind = 'balance'
  GROUP BY account_id, body->>'asset_id'
) AS told USING (account_id, asset_id)
WHERE told.projection_version IS DISTINCT FROM balance.projection_version
UNION ALL
SELECT account_id || ' ' || outcome_id, 'position ' || position.projection_version, 'projection_version ' || told.projection_version
FROM trading.position
LEFT JOIN (
  SELECT account_id, body->>'outcome_id' AS outcome_id, max((body->>'projection_version')::bigint) AS projection_version
  FROM trading.engine_event
  WHERE kind = 'position'
  GROUP BY account_id, body->>'outcome_id'
) AS told USING (account_id, outcome_id)
WHERE told.projection_version IS DISTINCT FROM position.projection_version
UNION ALL
SELECT coalesce(fill.fill_id, told.fill_id), coalesce(fill.fill_id, 'no fill'), coalesce(told.fill_id, 'no event')
FROM trading.fill
FULL JOIN (SELECT body->>'fill_id' AS fill_id FROM trading.engine_event WHERE kind = 'fill') AS told USING (fill_id)
WHERE fill.fill_id IS NULL OR told.fill_id IS NULL;
