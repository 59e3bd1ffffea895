-- Confirmed settlements among some.
-- params: $1 settlement_ids
-- returns: settlement_id
SELECT settlement_id FROM trading.settlement
 WHERE settlement_id = ANY ($1::text[]) AND state = 'confirmed'
 ORDER BY settlement_id
