-- The newest event of some kinds of an account up to an engine_sequence.
-- params: $1 account_id, $2 kinds, $3 engine_sequence, inclusive.
-- returns: engine_sequence; no row: none
SELECT last.engine_sequence
FROM unnest($2::text[]) AS wanted (kind)
CROSS JOIN LATERAL (
  SELECT engine_sequence FROM trading.engine_event
  WHERE account_id = $1 AND kind = wanted.kind AND engine_sequence <= $3
  ORDER BY engine_sequence DESC LIMIT 1
) last
ORDER BY last.engine_sequence DESC
LIMIT 1
