-- Working orders of an account, newest first.
-- params: $1 account_id, $2 market_id, or null, $3 rows at most.
-- returns: columns as list_orders.sql
SELECT o.*, a.scale AS asset_scale
FROM trading.orders o
LEFT JOIN trading.asset a ON a.asset_id = o.settlement_asset_id
WHERE o.account_id = $1 AND o.status IN ({{WORKING_STATUSES}})
  AND ($2::text IS NULL OR o.market_id = $2)
ORDER BY o.accepted_sequence DESC
LIMIT $3
