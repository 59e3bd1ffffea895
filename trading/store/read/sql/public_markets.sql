-- Listed markets with their outcomes.
--
-- params   $1 text[] market_ids; null: all of them
-- returns  market_id, status, listed, terms, created_at, outcomes [{outcome_id, label}] in the order of the market
SELECT m.market_id, m.status, m.listed, m.terms, m.created_at,
       (SELECT json_agg(json_build_object('outcome_id', o.outcome_id, 'label', o.label) ORDER BY o.place)
        FROM trading.market_outcome o
        WHERE o.market_id = m.market_id) AS outcomes
FROM trading.market m
WHERE $1::text[] IS NULL OR m.market_id = ANY ($1::text[])
ORDER BY m.market_id;
