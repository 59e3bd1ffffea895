-- Matches that self-trade prevention blocked between an order and another of its account, oldest first.
-- params: $1 order_id, $2 whether it ended by that. Only such an order was met as a maker and changed by it: the others need no
--   search of what no index leads to.
-- returns: columns of prevented_match but the account and outcome, and market_terms
SELECT p.prevented_match_id, p.taker_order_id, p.maker_order_id, p.mode, p.price, p.quantity, p.at, p.engine_sequence,
       m.terms AS market_terms
FROM trading.prevented_match p
JOIN trading.market_outcome o USING (outcome_id)
JOIN trading.market m USING (market_id)
WHERE p.taker_order_id = $1 OR ($2::boolean AND p.maker_order_id = $1)
ORDER BY p.engine_sequence
