-- Public events that a walk along the book of one outcome needs: its book, the trades of its market and their corrections, and the
-- market's status, in order.
--
-- params   $1 text market_id   $2 text outcome_id   $3 text[] kinds   $4 bigint engine_sequence, exclusive
--          $5 bigint engine_sequence, inclusive   $6 integer rows at most
-- returns  rows of engine_event, and at: when the event happened
-- rule     an event is about its outcome, or about its market where it names none: the index engine_event_by_subject
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM (
  SELECT $1::text AS subject, 'market' AS kind
  UNION ALL
  SELECT $2::text, 'book'
  UNION ALL
  SELECT outcome_id, k.kind
  FROM trading.market_outcome CROSS JOIN (VALUES ('trade'), ('trade_correction')) AS k (kind)
  WHERE market_id = $1
) AS s
CROSS JOIN LATERAL (
  SELECT *
  FROM trading.engine_event
  WHERE account_id IS NULL
    AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = s.subject
    AND kind = s.kind
    AND engine_sequence > $4
    AND engine_sequence <= $5
  ORDER BY engine_sequence
  LIMIT $6
) AS e
WHERE s.kind = ANY ($3::text[])
ORDER BY e.engine_sequence
LIMIT $6;
