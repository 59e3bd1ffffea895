-- Assets.
-- returns: asset_id, scale
SELECT asset_id, scale FROM trading.asset
