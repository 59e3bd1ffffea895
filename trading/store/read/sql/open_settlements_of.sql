-- Unfinished settlements of an account, newest first.
-- params: $1 account_id, $2 market_id, or null, $3 rows at most.
-- returns: columns as list_settlements.sql
SELECT s.*, m.terms AS market_terms, coalesce(f.engine_sequence, p.engine_sequence, 0) AS created_sequence
FROM trading.settlement s
JOIN trading.market m USING (market_id)
LEFT JOIN trading.fill f ON f.fill_id = s.fill_id
LEFT JOIN trading.resolution_payout p
       ON p.resolution_id = s.resolution_id AND p.account_id = s.account_id AND p.outcome_id = s.outcome_id
WHERE s.account_id = $1 AND s.state IN ({{UNCONFIRMED_STATES}})
  AND ($2::text IS NULL OR s.market_id = $2)
ORDER BY s.created_at DESC, s.settlement_id DESC
LIMIT $3
