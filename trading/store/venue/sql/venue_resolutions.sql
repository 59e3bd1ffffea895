-- Resolutions by id, with the facts of a revision that never change.
--
-- params   $1 text[] resolution_ids
-- returns  facts of a revision; none of an id that is not known
SELECT resolution_id, market_id, revision, supersedes_id, correction_reason, verdict, payouts, evidence, resolver_kind, resolver_id,
       proposed_at, dispute_window_ends_at
FROM trading.resolution
WHERE resolution_id = ANY ($1::text[])
ORDER BY market_id, revision;
