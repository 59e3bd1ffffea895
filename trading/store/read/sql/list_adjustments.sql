-- Adjustments of fills of an account, oldest first.
-- params: $1 account_id, $2 engine_sequence above, or null, $3 engine_sequence of the last one before the page, or null, $4 rows.
-- returns: columns of adjustment, and market_terms
SELECT a.*, m.terms AS market_terms
FROM trading.adjustment a
JOIN trading.fill f USING (fill_id)
JOIN trading.market m USING (market_id)
WHERE a.account_id = $1
  AND ($2::bigint IS NULL OR a.engine_sequence > $2)
  AND ($3::bigint IS NULL OR a.engine_sequence > $3)
ORDER BY a.engine_sequence
LIMIT $4
