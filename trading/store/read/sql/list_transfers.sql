-- Transfers of an account, newest first.
--
-- params   $1 account_id   $2 direction, $3 state, $4 transfer_id, each null where it is not asked
--          $5 requested_at and $6 transfer_id of the last one before the page, or null   $7 rows
--          $8 requested at or after, $9 requested before, or null
-- returns  columns of transfer, and asset_scale
SELECT t.*, a.scale AS asset_scale
FROM trading.transfer t
JOIN trading.asset a USING (asset_id)
WHERE t.account_id = $1
  AND ($2::text IS NULL OR t.direction = $2)
  AND ($3::text IS NULL OR t.state = $3)
  AND ($4::text IS NULL OR t.transfer_id = $4)
  AND ($8::timestamptz IS NULL OR t.requested_at >= $8)
  AND ($9::timestamptz IS NULL OR t.requested_at < $9)
  AND ($5::timestamptz IS NULL OR (t.requested_at, t.transfer_id) < ($5::timestamptz, $6::text))
ORDER BY t.requested_at DESC, t.transfer_id DESC
LIMIT $7
