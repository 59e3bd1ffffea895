-- Events of some kinds of an account after an engine_sequence, oldest first, with the end of their batch.
-- params: $1 account_id, $2 kinds, $3 engine_sequence, exclusive, $4 rows at most.
-- returns: columns of engine_event, at, last_engine_sequence: the last event of its batch
-- rule: each kind is read by its own index from the sequence on, so that only the returned rows are sorted
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body, b.at, b.last_engine_sequence
FROM (
  SELECT of_kind.*
  FROM unnest($2::text[]) AS wanted (kind)
  CROSS JOIN LATERAL (
    SELECT * FROM trading.engine_event
    WHERE account_id = $1 AND kind = wanted.kind AND engine_sequence > $3
    ORDER BY engine_sequence LIMIT $4
  ) of_kind
  ORDER BY of_kind.engine_sequence
  LIMIT $4
) e
CROSS JOIN LATERAL (
  SELECT at, last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = e.batch_sequence
) b
ORDER BY e.engine_sequence
