-- Deletes request nonces past their window: the timestamp signed with them is rejected by then.
--
-- template {{table}}    request_nonce, of writes, or accepted_nonce, of all requests
-- params   $1 timestamptz  nonces before it
-- returns  nothing; the row count is the number deleted
DELETE FROM trading.{{table}} WHERE at < $1;
