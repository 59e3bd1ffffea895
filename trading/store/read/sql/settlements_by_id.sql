-- Settlements by their ids.
-- params: $1 settlement ids.
-- returns: columns as list_settlements.sql
SELECT s.*, m.terms AS market_terms, coalesce(f.engine_sequence, p.engine_sequence, 0) AS created_sequence
FROM trading.settlement s
JOIN trading.market m USING (market_id)
LEFT JOIN trading.fill f ON f.fill_id = s.fill_id
LEFT JOIN trading.resolution_payout p
       ON p.resolution_id = s.resolution_id AND p.account_id = s.account_id AND p.outcome_id = s.outcome_id
WHERE s.settlement_id = ANY ($1)
