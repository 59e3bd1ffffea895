-- Keys by their ids.
--
-- params   $1 key ids
-- returns  columns of api_key
SELECT * FROM trading.api_key WHERE key_id = ANY ($1)
