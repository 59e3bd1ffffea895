-- Fills by their ids, as they were when they came to be.
-- params: $1 fill ids.
-- returns: columns of fill, market_terms
SELECT f.*, m.terms AS market_terms
FROM trading.fill f
JOIN trading.market m USING (market_id)
WHERE f.fill_id = ANY ($1)
