-- S1  engine_sequence and ledger_sequence rise without gaps, batch by batch; so does the projection_version of each
-- balance and position.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT 'engine_sequence after ' || before AS subject, engine_sequence::text AS found, (before + 1)::text AS expected
FROM (SELECT engine_sequence, lag(engine_sequence, 1, 0::bigint) OVER (ORDER BY engine_sequence) AS before FROM trading.engine_event) AS run
WHERE engine_sequence <> before + 1
UNION ALL
SELECT 'ledger_sequence after ' || before, ledger_sequence::text, (before + 1)::text
FROM (
  SELECT ledger_sequence, lag(ledger_sequence, 1, 0::bigint) OVER (ORDER BY ledger_sequence) AS before
  FROM (SELECT DISTINCT ledger_sequence FROM trading.ledger_entry) AS given
) AS run
WHERE ledger_sequence <> before + 1
UNION ALL
SELECT 'batch ' || batch_sequence, concat_ws(' ', batch_sequence, at, last_engine_sequence, last_ledger_sequence),
       'above ' || concat_ws(' ', before, earlier, engine_before, ledger_before)
FROM (
  SELECT batch_sequence, at, last_engine_sequence, last_ledger_sequence,
         lag(batch_sequence, 1, 0::bigint) OVER in_order AS before,
         lag(at, 1, '-infinity'::timestamptz) OVER in_order AS earlier,
         lag(last_engine_sequence, 1, 0::bigint) OVER in_order AS engine_before,
         lag(last_ledger_sequence, 1, 0::bigint) OVER in_order AS ledger_before
  FROM trading.engine_batch
  WINDOW in_order AS (ORDER BY batch_sequence)
) AS run
WHERE batch_sequence <> before + 1 OR at <= earlier OR last_engine_sequence < engine_before OR last_ledger_sequence < ledger_before
UNION ALL
SELECT 'events of batch ' || batch_sequence, coalesce(events.last, engine_before)::text, last_engine_sequence::text
FROM (
  SELECT batch_sequence, last_engine_sequence, lag(last_engine_sequence, 1, 0::bigint) OVER (ORDER BY batch_sequence) AS engine_before
  FROM trading.engine_batch
) AS run
LEFT JOIN (SELECT batch_sequence, max(engine_sequence) AS last FROM trading.engine_event GROUP BY batch_sequence) AS events
  USING (batch_sequence)
WHERE coalesce(events.last, engine_before) <> last_engine_sequence
UNION ALL
SELECT kind || ' ' || account_id || ' ' || key || ' at ' || engine_sequence, version::text, (before + 1)::text
FROM (
  SELECT kind, account_id, key, engine_sequence, version,
         lag(version, 1, 0::bigint) OVER (PARTITION BY kind, account_id, key ORDER BY engine_sequence) AS before
  FROM (
    SELECT kind, account_id, engine_sequence, (body->>'projection_version')::bigint AS version,
           CASE kind WHEN 'balance' THEN body->>'asset_id' ELSE body->>'outcome_id' END AS key
    FROM trading.engine_event
    WHERE kind IN ('balance', 'position')
  ) AS told
) AS run
WHERE version <> before + 1;
