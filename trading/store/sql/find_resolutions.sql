-- All revisions of how markets end: of markets that are named, and of those that resolutions are of.
--
-- params   $1 text[] resolution ids   $2 text[] market ids
-- returns  rows of resolution, each once
SELECT *
FROM trading.resolution
WHERE market_id IN (SELECT unnest($2::text[]) UNION SELECT market_id FROM trading.resolution WHERE resolution_id = ANY ($1::text[]));
