-- P5  Each dead-man's switch is set as the account's last event says, and orders from before it last fired execute no more.
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH told AS (
  SELECT account_id, engine_sequence, (extract(epoch FROM at) * 1000000)::bigint AS at, (body ->> 'cancel_after_at')::bigint AS due_at,
         lag((body ->> 'cancel_after_at')::bigint) OVER in_order AS due_before,
         row_number() OVER (PARTITION BY account_id ORDER BY engine_sequence DESC) AS from_last
  FROM trading.engine_event JOIN trading.engine_batch USING (batch_sequence)
  WHERE kind = 'account'
  WINDOW in_order AS (PARTITION BY account_id ORDER BY engine_sequence)
), fired AS (
  SELECT account_id, max(engine_sequence) AS engine_sequence
  FROM told
  WHERE due_at IS NULL AND due_before <= at
  GROUP BY account_id
)
SELECT account_id AS subject, coalesce((extract(epoch FROM cancel_after_at) * 1000000)::bigint::text, 'not set') AS found,
       coalesce(due_at::text, 'not set') AS expected
FROM trading.account JOIN told USING (account_id)
WHERE from_last = 1 AND (extract(epoch FROM cancel_after_at) * 1000000)::bigint IS DISTINCT FROM due_at
UNION ALL
SELECT concat_ws(' ', account_id, order_id), 'a fill at ' || fill.engine_sequence, 'none after ' || fired.engine_sequence
FROM fired
JOIN trading.orders USING (account_id)
JOIN trading.fill USING (account_id, order_id)
WHERE orders.accepted_sequence < fired.engine_sequence AND fill.engine_sequence > fired.engine_sequence;
