-- Assets, for operators.
-- returns: asset_id, scale
SELECT asset_id, scale FROM trading.asset ORDER BY asset_id
