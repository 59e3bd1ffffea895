-- Deletes request nonces past their window: the timestamp signed with them is rejected by then.
--
-- params   $1 timestamptz  nonces before it
-- returns  nothing; the row count is the number deleted
DELETE FROM trading.request_nonce WHERE at < $1;
