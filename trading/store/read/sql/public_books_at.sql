-- Past books of some outcomes: the newest checkpoint up to an event, and the book events after it.
--
-- params   $1 text[] outcome_ids   $2 bigint engine_sequence, inclusive   $3 integer events of one outcome at most
-- returns  outcome_id, checkpoint (null: none), count: number of events, events: JSON text of an array of their bodies in order,
--          last: engine_sequence of the last of them, null: none
-- rule     one text of an outcome: hundreds of rows would cost their reader more than the database
SELECT o.outcome_id, c.levels AS checkpoint, e.count, e.events, e.last
FROM unnest($1::text[]) AS o (outcome_id)
LEFT JOIN LATERAL (
  SELECT engine_sequence, levels
  FROM trading.book_checkpoint
  WHERE outcome_id = o.outcome_id AND engine_sequence <= $2
  ORDER BY engine_sequence DESC
  LIMIT 1
) AS c ON true
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS count, max(n.engine_sequence) AS last,
         '[' || coalesce(string_agg(n.body::text, ',' ORDER BY n.engine_sequence), '') || ']' AS events
  FROM (
    SELECT engine_sequence, body
    FROM trading.engine_event
    WHERE account_id IS NULL
      AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = o.outcome_id
      AND kind = 'book'
      AND engine_sequence > coalesce(c.engine_sequence, 0)
      AND engine_sequence <= $2
    ORDER BY engine_sequence
    LIMIT $3
  ) AS n
) AS e;
