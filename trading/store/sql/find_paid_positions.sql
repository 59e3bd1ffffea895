-- Positions of fills that a resolution has paid.
--
-- params   $1 text[] fill ids
-- returns  account_id, outcome_id, each once
SELECT DISTINCT account_id, outcome_id
FROM trading.fill
JOIN trading.resolution_payout USING (market_id, account_id, outcome_id)
WHERE fill_id = ANY ($1);
