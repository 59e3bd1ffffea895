-- All resolution revisions of the named markets, and of the markets of the named resolutions.
--
-- params   $1 text[] resolution ids   $2 text[] market ids
-- returns  rows of resolution, each once
SELECT *
FROM trading.resolution
WHERE market_id IN (SELECT unnest($2::text[]) UNION SELECT market_id FROM trading.resolution WHERE resolution_id = ANY ($1::text[]));
