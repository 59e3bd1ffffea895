-- Last status change and all resolutions of each listed market; last book event, last trade and all corrections of each
-- outcome, up to an event.
--
-- params   $1 bigint engine_sequence, inclusive
-- returns  rows of engine_event, and at: when the event happened; none where there was none
-- rule     an event is about its outcome, or about its market where it names none: the index engine_event_by_subject
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM (
  SELECT market_id AS subject, k.kind FROM trading.market CROSS JOIN (VALUES ('market'), ('resolution')) AS k (kind)
  UNION ALL
  SELECT outcome_id, k.kind FROM trading.market_outcome CROSS JOIN (VALUES ('book'), ('trade'), ('trade_correction')) AS k (kind)
) AS s
CROSS JOIN LATERAL (
  SELECT *
  FROM trading.engine_event
  WHERE account_id IS NULL
    AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = s.subject
    AND kind = s.kind
    AND engine_sequence <= $1
  ORDER BY engine_sequence DESC
  LIMIT CASE WHEN s.kind IN ('trade_correction', 'resolution') THEN NULL ELSE 1 END
) AS e
ORDER BY e.engine_sequence;
