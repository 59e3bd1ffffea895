-- Reversal ids that are taken.
--
-- params   $1 text[] reversal ids
-- returns  reversal_id
SELECT reversal_id FROM trading.settlement_reversal WHERE reversal_id = ANY ($1);
