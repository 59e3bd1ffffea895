-- L7  Long and short quantities of every outcome are equal. What a resolution paid a position, corrections included, is
-- exactly what it held at the payout, and the collateral of its short quantity was released. Once every position is paid,
-- no account holds anything, the house included.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH paid AS (
  SELECT resolution_payout.*, revision, resolution.paid_at,
         sum(amount) OVER so_far AS amount_so_far, first_value(net_quantity) OVER so_far AS first_net,
         row_number() OVER so_far = 1 AS is_first
  FROM trading.resolution_payout JOIN trading.resolution USING (resolution_id)
  WINDOW so_far AS (PARTITION BY account_id, outcome_id ORDER BY revision)
), newest AS (
  SELECT DISTINCT ON (market_id) market_id, resolution_id, paid_at FROM trading.resolution ORDER BY market_id, revision DESC
), released AS (
  SELECT reference_id AS settlement_id, -sum(amount) AS amount
  FROM trading.ledger_entry
  WHERE kind = 'resolution' AND bucket = 'reserved'
  GROUP BY reference_id
)
SELECT outcome_id AS subject, sum(net_quantity)::text AS found, '0' AS expected
FROM trading.position
GROUP BY outcome_id
HAVING sum(net_quantity) <> 0
UNION ALL
SELECT resolution_id || ' ' || account_id || ' ' || outcome_id, amount_so_far || ' of ' || net_quantity,
       (payout::numeric * first_net * 10::numeric ^ ((terms->>'asset_scale')::integer - (terms->>'quantity_scale')::integer))::bigint
         || ' of ' || first_net
FROM paid JOIN trading.market USING (market_id)
WHERE amount_so_far <> payout::numeric * first_net
        * 10::numeric ^ ((terms->>'asset_scale')::integer - (terms->>'quantity_scale')::integer)
   OR net_quantity <> first_net
UNION ALL
SELECT paid.settlement_id, coalesce(released.amount, 0)::text, 'collateral of ' || net_quantity
FROM paid
JOIN trading.market USING (market_id)
LEFT JOIN released USING (settlement_id)
WHERE is_first
  AND coalesce(released.amount, 0) <> greatest(-net_quantity, 0) * (terms->>'one')::bigint * (terms->>'unit')::bigint
UNION ALL
SELECT account_id || ' ' || outcome_id, net_quantity::text, '0: all were paid'
FROM trading.position JOIN newest USING (market_id)
WHERE newest.paid_at IS NOT NULL AND net_quantity <> 0;
