-- L1  Every transaction of the ledger sums to 0 in each asset.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT ledger_sequence || ' ' || asset_id AS subject, sum(amount)::text AS found, '0' AS expected
FROM trading.ledger_entry
GROUP BY ledger_sequence, asset_id
HAVING sum(amount) <> 0;
