-- O5  FOK fills completely or not at all, FAK never rests, post_only never takes, reduce_only only reduces, and no
-- account trades with itself.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT order_id AS subject, time_in_force || ' ' || filled_quantity AS found, 'all or nothing' AS expected
FROM trading.orders
WHERE time_in_force = 'FOK' AND filled_quantity NOT IN (0, original_quantity) AND NOT reduce_only
  AND NOT EXISTS (
    SELECT FROM trading.adjustment JOIN trading.fill USING (fill_id) WHERE fill.order_id = orders.order_id
  )
UNION ALL
SELECT order_id, time_in_force || ' ' || status, 'an order that has ended'
FROM trading.orders
WHERE time_in_force IN ('FOK', 'FAK') AND status IN ({{WORKING_STATUSES}})
UNION ALL
SELECT fill_id, liquidity_role, 'maker'
FROM trading.fill JOIN trading.orders USING (order_id)
WHERE post_only AND liquidity_role <> 'maker'
UNION ALL
SELECT fill_id, 'net before it ' || net, 'a position that is reduced'
FROM (
  SELECT fill_id, order_id, side, quantity,
         coalesce(sum(CASE side WHEN 'BUY' THEN quantity ELSE -quantity END) OVER (
           PARTITION BY account_id, outcome_id ORDER BY engine_sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS net
  FROM (
    SELECT fill_id, order_id, account_id, outcome_id, side, quantity, engine_sequence FROM trading.fill
    UNION ALL
    SELECT adjustment_id, NULL, adjustment.account_id, outcome_id, side, quantity_delta, adjustment.engine_sequence
    FROM trading.adjustment JOIN trading.fill USING (fill_id)
  ) AS moved
) AS run JOIN trading.orders USING (order_id)
WHERE reduce_only AND run.quantity > CASE run.side WHEN 'BUY' THEN -net ELSE net END
UNION ALL
SELECT trade_id, string_agg(account_id, ' '), 'two accounts'
FROM trading.fill
GROUP BY trade_id
HAVING count(DISTINCT account_id) <> 2;
