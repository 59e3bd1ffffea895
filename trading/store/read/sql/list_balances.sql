-- Current balances of an account.
-- params: $1 account_id, $2 asset_id, or null: all.
-- returns: columns of balance, and asset_scale
SELECT b.*, a.scale AS asset_scale
FROM trading.balance b
JOIN trading.asset a USING (asset_id)
WHERE b.account_id = $1 AND ($2::text IS NULL OR b.asset_id = $2)
ORDER BY b.asset_id
