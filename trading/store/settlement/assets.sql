-- Assets with settlements.
-- returns: asset_id
SELECT asset_id FROM trading.asset ORDER BY asset_id
