-- Transfers that a batch names, and those of accounts that count for the limits of a further one.
--
-- params   $1 text[] transfer_ids   $2 text[] account_ids   $3 timestamptz: what was requested after it counts, and what is open
-- returns  columns of transfer
SELECT * FROM trading.transfer WHERE transfer_id = ANY ($1::text[])
UNION
SELECT t.*
FROM unnest($2::text[]) AS asked (account_id)
JOIN trading.transfer t USING (account_id)
WHERE t.requested_at > $3::timestamptz OR t.state IN ({{OPEN_TRANSFER_STATES}})
