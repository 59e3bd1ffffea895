-- Current positions of an account.
-- params: $1 account_id; filters, null where not asked: $2 market_id, $3 outcome_id, $4 true: only those that are not zero,
--   $5 state of one of their settlements; $6 and $7 market_id and outcome_id of the last one before the page, or null; $8 rows.
-- rule: a settlement is waited for until it is confirmed, or adjusted to nothing
-- returns: columns of position, mark, mark_observation_id, market_terms, pending_settlement_ids
WITH waiting AS (
  SELECT s.outcome_id, array_agg(s.settlement_id ORDER BY s.created_at, s.settlement_id) AS ids
  FROM trading.settlement s
  WHERE s.account_id = $1 AND s.state IN ({{UNCONFIRMED_STATES}})
    AND (s.quantity <> 0 OR s.notional <> 0 OR s.fee <> 0)
  GROUP BY s.outcome_id
)
SELECT p.*, o.mark, o.mark_observation_id, m.terms AS market_terms,
       coalesce(w.ids, ARRAY[]::text[]) AS pending_settlement_ids
FROM trading.position p
JOIN trading.market_outcome o USING (outcome_id)
JOIN trading.market m ON m.market_id = p.market_id
LEFT JOIN waiting w ON w.outcome_id = p.outcome_id
WHERE p.account_id = $1
  AND ($2::text IS NULL OR p.market_id = $2)
  AND ($3::text IS NULL OR p.outcome_id = $3)
  AND (NOT $4::boolean OR p.net_quantity <> 0)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM trading.settlement s
        WHERE s.account_id = p.account_id AND s.outcome_id = p.outcome_id AND s.state = $5))
  AND ($6::text IS NULL OR (p.market_id, p.outcome_id) > ($6::text, $7::text))
ORDER BY p.market_id, p.outcome_id
LIMIT $8
