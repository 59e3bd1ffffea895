-- Deletes counted requests of keys past their retention.
--
-- params   $1 timestamptz  minutes before it
-- returns  nothing; the row count is the number deleted
DELETE FROM trading.api_key_activity WHERE minute < $1;
