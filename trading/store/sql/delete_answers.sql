-- Forgets answers past the 24 hours that an Idempotency-Key is kept.
--
-- params   $1 timestamptz  answers before it
-- returns  nothing; the count is what was forgotten
DELETE FROM trading.idempotent_answer WHERE at < $1;
