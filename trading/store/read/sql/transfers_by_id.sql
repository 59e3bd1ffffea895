-- Transfers by their ids.
--
-- params   $1 transfer ids
-- returns  columns of transfer, and asset_scale
SELECT t.*, a.scale AS asset_scale
FROM trading.transfer t
JOIN trading.asset a USING (asset_id)
WHERE t.transfer_id = ANY ($1)
