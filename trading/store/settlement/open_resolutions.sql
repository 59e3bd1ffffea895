-- Newest revisions of markets' resolutions that are neither withdrawn nor paid out; earlier revisions are no longer paid.
-- params: $1 resolution_id, null: every one
-- returns: resolution_id, market_id, finality, dispute_window_ends_at, paid_count, paid_at, engine_sequence,
--          unconfirmed: settlements of trades that keep positions of its market from being paid
SELECT resolution_id, market_id, finality, dispute_window_ends_at, paid_count, paid_at, engine_sequence,
       (SELECT coalesce(sum(open_settlements), 0)::bigint FROM trading.position
         WHERE position.market_id = resolution.market_id) AS unconfirmed
  FROM trading.resolution
 WHERE ($1::text IS NULL OR resolution_id = $1) AND finality <> 'withdrawn' AND paid_at IS NULL
   AND revision = (SELECT max(later.revision) FROM trading.resolution AS later WHERE later.market_id = resolution.market_id)
 ORDER BY proposed_at, resolution_id
