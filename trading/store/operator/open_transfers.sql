-- Transfers that wait for the rail, oldest first.
-- params: $1 instant: only those requested up to it
-- returns: transfer_id, account_id, direction, asset_id, destination
SELECT transfer_id, account_id, direction, asset_id, destination
  FROM trading.transfer
 WHERE state IN ({{OPEN_TRANSFER_STATES}}) AND requested_at <= $1::timestamptz
 ORDER BY requested_at, transfer_id
 LIMIT 100
