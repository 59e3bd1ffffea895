-- Webhooks whose accounts have events of some kinds after a place, or for which a market has moved.
--
-- params   $1 webhook ids   $2 account ids   $3 kinds of each, joined by spaces   $4 engine_sequence of each, exclusive
-- returns  webhook_id
SELECT asked.webhook_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS asked (webhook_id, account_id, kinds, place)
WHERE EXISTS (
  SELECT FROM unnest(string_to_array(asked.kinds, ' ')) AS wanted (kind)
  CROSS JOIN LATERAL (
    SELECT FROM trading.engine_event e
    WHERE e.account_id = asked.account_id AND e.kind = wanted.kind AND e.engine_sequence > asked.place
    LIMIT 1
  ) one
  WHERE wanted.kind <> 'market'
) OR (
  'market' = ANY (string_to_array(asked.kinds, ' '))
  AND EXISTS (SELECT FROM trading.engine_event WHERE kind = 'market' AND engine_sequence > asked.place)
)
