-- Adds counted requests of keys to those of their minutes, and records when keys were last used.
-- params: $1 key ids, $2 minutes, $3 outcomes, $4 addresses, $5 counts, $6 last instants; no two rows with the same first four.
-- rule: written outside the engine, by every API process; no decision depends on it
-- returns: nothing
WITH counted AS (
  SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[])
    AS c (key_id, minute, outcome, ip, count, last_at)
  ORDER BY key_id, minute, outcome, ip
), used AS (
  INSERT INTO trading.api_key_use (key_id, last_used_at)
  SELECT key_id, max(last_at) FROM counted WHERE outcome = 'used' GROUP BY key_id ORDER BY key_id
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)
)
INSERT INTO trading.api_key_activity AS a (key_id, minute, outcome, ip, count, last_at)
SELECT * FROM counted
ON CONFLICT (key_id, minute, outcome, ip)
DO UPDATE SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at)
