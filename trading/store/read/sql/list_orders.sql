-- Orders of an account, newest first.
-- params: $1 account_id; filters, each null where it is not asked: $2 market_id, $3 outcome_id, $4 statuses (text[]), $5 side,
--   $6 client_order_id, $7 created at or after, $8 created before, $9 changed at or after, $10 order_id,
--   $11 command_id of the request that placed or canceled them; $12 and $13 created_at and order_id of the last one before the page, or null; $14 rows;
--   $15 quote_set_id, or null.
-- returns: columns of orders, and asset_scale, null where the asset is not known
SELECT o.*, a.scale AS asset_scale
FROM trading.orders o
LEFT JOIN trading.asset a ON a.asset_id = o.settlement_asset_id
WHERE o.account_id = $1
  AND ($2::text IS NULL OR o.market_id = $2)
  AND ($3::text IS NULL OR o.outcome_id = $3)
  AND ($4::text[] IS NULL OR o.status = ANY ($4))
  AND ($5::text IS NULL OR o.side = $5)
  AND ($6::text IS NULL OR o.client_order_id = $6)
  AND ($7::timestamptz IS NULL OR o.created_at >= $7)
  AND ($8::timestamptz IS NULL OR o.created_at < $8)
  AND ($9::timestamptz IS NULL OR o.updated_at >= $9)
  AND ($10::text IS NULL OR o.order_id = $10)
  AND ($11::text IS NULL OR o.command_id = $11 OR o.cancel_command_id = $11)
  AND ($15::text IS NULL OR o.quote_set_id = $15)
  AND ($12::timestamptz IS NULL OR (o.created_at, o.order_id) < ($12::timestamptz, $13::text))
ORDER BY o.created_at DESC, o.order_id DESC
LIMIT $14
