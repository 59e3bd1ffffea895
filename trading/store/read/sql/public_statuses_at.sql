-- Last status change and all resolutions of every listed market up to an event.
--
-- params   $1 bigint engine_sequence, inclusive
-- returns  rows of engine_event, and at: when the event happened; none of a market that was not listed yet
-- rule     an event that names no outcome is about its market: the index engine_event_by_subject
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM trading.market AS m
CROSS JOIN (VALUES ('market'), ('resolution')) AS k (kind)
CROSS JOIN LATERAL (
  SELECT *
  FROM trading.engine_event
  WHERE account_id IS NULL
    AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = m.market_id
    AND kind = k.kind
    AND engine_sequence <= $1
  ORDER BY engine_sequence DESC
  LIMIT CASE WHEN k.kind = 'resolution' THEN NULL ELSE 1 END
) AS e
ORDER BY e.engine_sequence;
