-- Newest public events of one market up to an event: last status change and all resolutions; last book event, trade and
-- correction of each outcome, and every correction of that last trade.
--
-- params   $1 text market_id   $2 bigint engine_sequence, inclusive
-- returns  rows of engine_event, and at: when the event happened; a correction may be returned twice
-- rule     an event is about its outcome, or about its market where it names none: the index engine_event_by_subject; corrections
--          are found by their trade (OFFSET 0 keeps the planner from joining all of them)
WITH newest AS (
  SELECT e.*
  FROM (
    SELECT $1::text AS subject, k.kind FROM (VALUES ('market'), ('resolution')) AS k (kind)
    UNION ALL
    SELECT outcome_id, k.kind
    FROM trading.market_outcome CROSS JOIN (VALUES ('book'), ('trade'), ('trade_correction')) AS k (kind)
    WHERE market_id = $1
  ) AS s
  CROSS JOIN LATERAL (
    SELECT engine_sequence, batch_sequence, kind, account_id, body
    FROM trading.engine_event
    WHERE account_id IS NULL
      AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = s.subject
      AND kind = s.kind
      AND engine_sequence <= $2
    ORDER BY engine_sequence DESC
    LIMIT CASE WHEN s.kind = 'resolution' THEN NULL ELSE 1 END
  ) AS e
),
found AS (
  SELECT * FROM newest
  UNION ALL
  SELECT c.engine_sequence, c.batch_sequence, c.kind, c.account_id, c.body
  FROM newest AS t
  CROSS JOIN LATERAL (
    SELECT *
    FROM trading.engine_event
    WHERE kind = 'trade_correction'
      AND body ->> 'trade_id' = t.body ->> 'trade_id'
      AND engine_sequence <= $2
    OFFSET 0
  ) AS c
  WHERE t.kind = 'trade'
)
SELECT f.*, (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = f.batch_sequence) AS at
FROM found AS f
ORDER BY f.engine_sequence;
