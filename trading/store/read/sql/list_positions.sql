-- Positions of an account as they are.
-- params: $1 account_id; filters, null where not asked: $2 market_id, $3 outcome_id, $4 true: only those that are not zero,
--   $5 state of one of their settlements; $6 and $7 market_id and outcome_id of the last one before the page, or null; $8 rows.
-- returns: columns of position, mark, market_terms, pending_settlement_ids
SELECT p.*, o.mark, m.terms AS market_terms,
       ARRAY(SELECT s.settlement_id FROM trading.settlement s
             WHERE s.account_id = p.account_id AND s.outcome_id = p.outcome_id AND s.state IN ('pending', 'submitted', 'failed')
             ORDER BY s.created_at, s.settlement_id) AS pending_settlement_ids
FROM trading.position p
JOIN trading.market_outcome o USING (outcome_id)
JOIN trading.market m ON m.market_id = p.market_id
WHERE p.account_id = $1
  AND ($2::text IS NULL OR p.market_id = $2)
  AND ($3::text IS NULL OR p.outcome_id = $3)
  AND (NOT $4::boolean OR p.net_quantity <> 0)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM trading.settlement s
        WHERE s.account_id = p.account_id AND s.outcome_id = p.outcome_id AND s.state = $5))
  AND ($6::text IS NULL OR (p.market_id, p.outcome_id) > ($6::text, $7::text))
ORDER BY p.market_id, p.outcome_id
LIMIT $8
