-- Fills of an account, newest first, with the state of their settlements and the ids of their adjustments.
-- params: $1 account_id; filters, each null where it is not asked: $2 order_id, $3 market_id, $4 outcome_id, $5 side,
--   $6 liquidity_role, $7 settlement state, $8 matched at or after, $9 matched before, $10 engine_sequence above, $11 fill_id;
--   $12 engine_sequence of the last one before the page, or null (it is unique, so fill_id decides nothing); $13 rows.
-- returns: columns of fill, settlement_state, market_terms, adjustment_ids
SELECT f.*, s.state AS settlement_state, m.terms AS market_terms,
       ARRAY(SELECT a.adjustment_id FROM trading.adjustment a WHERE a.fill_id = f.fill_id ORDER BY a.engine_sequence) AS adjustment_ids
FROM trading.fill f
JOIN trading.settlement s USING (settlement_id)
JOIN trading.market m ON m.market_id = f.market_id
WHERE f.account_id = $1
  AND ($2::text IS NULL OR f.order_id = $2)
  AND ($3::text IS NULL OR f.market_id = $3)
  AND ($4::text IS NULL OR f.outcome_id = $4)
  AND ($5::text IS NULL OR f.side = $5)
  AND ($6::text IS NULL OR f.liquidity_role = $6)
  AND ($7::text IS NULL OR s.state = $7)
  AND ($8::timestamptz IS NULL OR f.at >= $8)
  AND ($9::timestamptz IS NULL OR f.at < $9)
  AND ($10::bigint IS NULL OR f.engine_sequence > $10)
  AND ($11::text IS NULL OR f.fill_id = $11)
  AND ($12::bigint IS NULL OR f.engine_sequence < $12)
ORDER BY f.engine_sequence DESC, f.fill_id DESC
LIMIT $13
