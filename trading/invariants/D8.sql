-- D8  Settlements follow their state table; each transition has an event, and a settlement is in the state of its last
-- one. Attempts are numbered without gaps, one at a time: all but the last have failed, and the last one agrees with the
-- settlement.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH move (from_state, state) AS (
  VALUES ('pending', 'submitted'), ('submitted', 'confirmed'), ('submitted', 'failed'), ('failed', 'submitted'), ('confirmed', 'reversed')
), moved AS (
  SELECT engine_sequence, settlement_id, from_state, state, lag(state, 1, 'pending') OVER earlier AS before,
         row_number() OVER (PARTITION BY settlement_id ORDER BY engine_sequence DESC) AS from_last
  FROM trading.settlement_transition
  WINDOW earlier AS (PARTITION BY settlement_id ORDER BY engine_sequence)
), told AS (
  SELECT engine_sequence, body->>'settlement_id' AS settlement_id, body->>'state' AS state
  FROM trading.engine_event
  WHERE kind = 'settlement'
), tried AS (
  SELECT settlement_id, count(*) AS attempts, max(attempt_number) AS last_number,
         count(*) FILTER (WHERE state <> 'failed') AS not_failed,
         max(attempt_id) FILTER (WHERE state <> 'failed') AS standing_id,
         max(state) FILTER (WHERE state <> 'failed') AS standing
  FROM trading.settlement_attempt
  GROUP BY settlement_id
)
SELECT settlement_id || ' at ' || engine_sequence AS subject, from_state || ' to ' || state AS found,
       'a move of the table, from ' || before AS expected
FROM moved
WHERE from_state <> before OR (from_state, state) NOT IN (SELECT from_state, state FROM move)
UNION ALL
SELECT settlement_id, settlement.state, coalesce(moved.state, 'pending')
FROM trading.settlement LEFT JOIN (SELECT * FROM moved WHERE from_last = 1) AS moved USING (settlement_id)
WHERE settlement.state <> coalesce(moved.state, 'pending')
UNION ALL
-- What was confirmed before attempts were recorded tells its first move with its fill.
SELECT settlement_id || ' at ' || engine_sequence, moved.state, coalesce(told.state, 'an event of it')
FROM moved LEFT JOIN told USING (engine_sequence, settlement_id)
WHERE told.state IS DISTINCT FROM moved.state
  AND NOT EXISTS (
    SELECT FROM trading.fill WHERE fill.settlement_id = moved.settlement_id AND fill.engine_sequence = moved.engine_sequence
  )
UNION ALL
SELECT settlement_id, concat_ws(' ', state, coalesce(attempts, 0), last_number, standing),
       concat_ws(' ', state, attempt_count, 'attempts, the last one of that state')
FROM trading.settlement LEFT JOIN tried USING (settlement_id)
WHERE attempt_count <> coalesce(attempts, 0) OR attempt_count <> coalesce(last_number, 0)
   OR coalesce(not_failed, 0) <> (state IN ('submitted', 'confirmed', 'reversed'))::integer
   OR standing_id <> attempt_id
   OR standing <> CASE state WHEN 'submitted' THEN 'submitted' ELSE 'confirmed' END
UNION ALL
SELECT settlement_id, 'at ' || settlement.engine_sequence, 'at ' || coalesce(told.engine_sequence, fill.engine_sequence)
FROM trading.settlement
LEFT JOIN trading.fill USING (settlement_id)
LEFT JOIN (SELECT settlement_id, max(engine_sequence) AS engine_sequence FROM told GROUP BY settlement_id) AS told USING (settlement_id)
WHERE settlement.engine_sequence IS DISTINCT FROM coalesce(told.engine_sequence, fill.engine_sequence);
