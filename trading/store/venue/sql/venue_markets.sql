-- Listed markets with the actor of their last move and their resolutions.
--
-- returns  market_id, status, listed, outcomes [{outcome_id, label}] in the order of the market; actor and engine_sequence of the last
--          move; resolutions [{resolution_id, finality, payouts, dispute_id}], oldest first, [] where there is none
-- rule     the last move is found by the index engine_event_by_subject
SELECT m.market_id, m.status, m.listed,
       (SELECT json_agg(json_build_object('outcome_id', o.outcome_id, 'label', o.label) ORDER BY o.place)
        FROM trading.market_outcome o WHERE o.market_id = m.market_id) AS outcomes,
       moved.actor, moved.engine_sequence AS moved_sequence,
       (SELECT coalesce(json_agg(json_build_object('resolution_id', r.resolution_id, 'finality', r.finality,
                                                  'payouts', r.payouts, 'dispute_id', r.dispute ->> 'dispute_id') ORDER BY r.revision), '[]'::json)
        FROM trading.resolution r WHERE r.market_id = m.market_id) AS resolutions
FROM trading.market m
CROSS JOIN LATERAL (
  SELECT e.body ->> 'actor' AS actor, e.engine_sequence
  FROM trading.engine_event e
  WHERE e.account_id IS NULL
    AND coalesce(e.body ->> 'outcome_id', e.body ->> 'market_id') = m.market_id
    AND e.kind = 'market'
  ORDER BY e.engine_sequence DESC
  LIMIT 1
) AS moved
ORDER BY m.market_id;
