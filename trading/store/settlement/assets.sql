-- Every asset that is settled.
-- returns: asset_id
SELECT asset_id FROM trading.asset ORDER BY asset_id
