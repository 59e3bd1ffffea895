-- Events of markets after an engine_sequence, oldest first, and whether an account had held one of their outcomes before.
--
-- params   $1 account_id   $2 engine_sequence, exclusive   $3 rows
-- returns  columns of engine_event; at, last_engine_sequence of its batch; previous_status, null: it is the first event of its market;
--          is_own: the account had an entry in an outcome of the market before the event
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body, b.at, b.last_engine_sequence,
       before.status AS previous_status,
       EXISTS (
         SELECT FROM trading.market_outcome o
         CROSS JOIN LATERAL (
           SELECT l.engine_sequence
           FROM trading.ledger_entry l
           WHERE hashtext(l.account_id || ' ' || l.asset_id) = hashtext($1 || ' ' || o.outcome_id)
             AND l.account_id = $1 AND l.asset_id = o.outcome_id
           ORDER BY l.ledger_sequence LIMIT 1
         ) AS first_entry
         WHERE o.market_id = e.body ->> 'market_id' AND first_entry.engine_sequence < e.engine_sequence
       ) AS is_own
FROM (
  SELECT * FROM trading.engine_event
  WHERE kind = 'market' AND engine_sequence > $2
  ORDER BY engine_sequence LIMIT $3
) e
CROSS JOIN LATERAL (
  SELECT at, last_engine_sequence FROM trading.engine_batch WHERE batch_sequence = e.batch_sequence
) b
LEFT JOIN LATERAL (
  SELECT earlier.body ->> 'status' AS status
  FROM trading.engine_event earlier
  WHERE earlier.account_id IS NULL
    AND coalesce(earlier.body ->> 'outcome_id', earlier.body ->> 'market_id') = e.body ->> 'market_id'
    AND earlier.kind = 'market' AND earlier.engine_sequence < e.engine_sequence
  ORDER BY earlier.engine_sequence DESC LIMIT 1
) before ON true
ORDER BY e.engine_sequence
