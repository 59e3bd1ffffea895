-- Adjustments of fills of an account, oldest first.
-- params: $1 account_id, $2 engine_sequence above, or null, $3 engine_sequence of the last one before the page, or null, $4 rows;
--   $5 published at or after, $6 published before, or null.
-- returns: columns of adjustment, and market_terms
SELECT a.*, m.terms AS market_terms
FROM trading.adjustment a
JOIN trading.fill f USING (fill_id)
JOIN trading.market m USING (market_id)
WHERE a.account_id = $1
  AND ($2::bigint IS NULL OR a.engine_sequence > $2)
  AND ($5::timestamptz IS NULL OR a.published_at >= $5)
  AND ($6::timestamptz IS NULL OR a.published_at < $6)
  AND ($3::bigint IS NULL OR a.engine_sequence > $3)
ORDER BY a.engine_sequence
LIMIT $4
