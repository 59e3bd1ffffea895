-- Adjustments by their ids.
-- params: $1 adjustment ids.
-- returns: columns of adjustment, market_id, market_terms
SELECT a.*, f.market_id, m.terms AS market_terms
FROM trading.adjustment a
JOIN trading.fill f USING (fill_id)
JOIN trading.market m USING (market_id)
WHERE a.adjustment_id = ANY ($1)
