-- Orders by their ids.
-- params: $1 order ids.
-- returns: columns as list_orders.sql
SELECT o.*, a.scale AS asset_scale
FROM trading.orders o
LEFT JOIN trading.asset a ON a.asset_id = o.settlement_asset_id
WHERE o.order_id = ANY ($1)
