-- Keeps nonces of requests, and says which of them were new.
-- params: $1 key ids, $2 their nonces, $3 now.
-- rule: the first call on empty tables also notes since when they are kept; a crash of the server empties both together
-- returns: key_id, nonce of those that were new; known_from, the instant from which every accepted nonce is known
WITH begun AS (
  INSERT INTO trading.request_nonces_known (known_from)
  SELECT $3::timestamptz WHERE NOT EXISTS (SELECT FROM trading.request_nonces_known)
  ON CONFLICT DO NOTHING
  RETURNING known_from
), kept AS (
  INSERT INTO trading.accepted_nonce (key_id, nonce, at)
  SELECT key_id, nonce, $3::timestamptz FROM unnest($1::text[], $2::text[]) AS asked (key_id, nonce) ORDER BY key_id, nonce
  ON CONFLICT DO NOTHING
  RETURNING key_id, nonce
)
SELECT kept.key_id, kept.nonce, coalesce((SELECT known_from FROM trading.request_nonces_known), (SELECT known_from FROM begun), $3) AS known_from
FROM kept
