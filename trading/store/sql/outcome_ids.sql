-- Ids of all listed outcomes.
--
-- returns  outcome_id
SELECT outcome_id FROM trading.market_outcome ORDER BY outcome_id;
