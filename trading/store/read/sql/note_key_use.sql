-- Records when keys were last used: a hint written outside the engine, on which nothing depends.
-- params: $1 key ids, each once, $2 their instants.
-- returns: nothing
INSERT INTO trading.api_key_use (key_id, last_used_at)
SELECT * FROM unnest($1::text[], $2::timestamptz[])
ON CONFLICT (key_id) DO UPDATE SET last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)
