-- Transfers that accounts asked for, oldest first.
-- params: $1 instant: only those requested up to it  $2 id of one transfer, null: any  $3 account, null: any
--         $4 whether only open ones  $5 most rows
-- returns: columns of transfer, and asset_scale
SELECT transfer.*, asset.scale AS asset_scale
  FROM trading.transfer
  JOIN trading.asset USING (asset_id)
 WHERE requested_at <= $1::timestamptz
   AND ($2::text IS NULL OR transfer_id = $2)
   AND ($3::text IS NULL OR account_id = $3)
   AND (NOT $4::boolean OR state IN ({{OPEN_TRANSFER_STATES}}))
 ORDER BY requested_at, transfer_id
 LIMIT $5
