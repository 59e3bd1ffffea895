-- Forgets request nonces past their window: the timestamp that was signed with them is refused by then.
--
-- params   $1 timestamptz  nonces before it
-- returns  nothing; the count is what was forgotten
DELETE FROM trading.request_nonce WHERE at < $1;
