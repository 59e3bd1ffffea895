-- Settlements of an account, last moved first.
-- params: $1 account_id; filters, each null where it is not asked: $2 state, $3 kind, $4 market_id, $5 fill_id, $6 asset_id,
--   $7 created at or after, $8 changed at or after, $9 settlement_id;
--   $10 and $11 updated_at and settlement_id of the last one before the page, or null; $12 rows;
--   $13 created before, $14 changed before, or null.
-- returns: columns of settlement, market_terms, created_sequence: the engine_sequence of the fill or payout that it is of
SELECT s.*, m.terms AS market_terms, coalesce(f.engine_sequence, p.engine_sequence, 0) AS created_sequence
FROM trading.settlement s
JOIN trading.market m USING (market_id)
LEFT JOIN trading.fill f ON f.fill_id = s.fill_id
LEFT JOIN trading.resolution_payout p
       ON p.resolution_id = s.resolution_id AND p.account_id = s.account_id AND p.outcome_id = s.outcome_id
WHERE s.account_id = $1
  AND ($2::text IS NULL OR s.state = $2)
  AND ($3::text IS NULL OR s.kind = $3)
  AND ($4::text IS NULL OR s.market_id = $4)
  AND ($5::text IS NULL OR s.settlement_id = (SELECT settlement_id FROM trading.fill WHERE fill_id = $5))
  AND ($6::text IS NULL OR s.asset_id = $6)
  AND ($7::timestamptz IS NULL OR s.created_at >= $7)
  AND ($8::timestamptz IS NULL OR s.updated_at >= $8)
  AND ($9::text IS NULL OR s.settlement_id = $9)
  AND ($13::timestamptz IS NULL OR s.created_at < $13)
  AND ($14::timestamptz IS NULL OR s.updated_at < $14)
  AND ($10::timestamptz IS NULL OR (s.updated_at, s.settlement_id) < ($10::timestamptz, $11::text))
ORDER BY s.updated_at DESC, s.settlement_id DESC
LIMIT $12
