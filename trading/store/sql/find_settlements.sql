-- Settlements by id, and those of fills.
--
-- params   $1 text[] settlement ids   $2 text[] fill ids
-- returns  rows of settlement, each once
SELECT *
FROM trading.settlement
WHERE settlement_id IN (SELECT unnest($1::text[]) UNION SELECT settlement_id FROM trading.fill WHERE fill_id = ANY ($2::text[]));
