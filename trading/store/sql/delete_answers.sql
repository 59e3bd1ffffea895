-- Deletes answers older than the 24 hours for which an Idempotency-Key is kept.
--
-- params   $1 timestamptz  answers before it
-- returns  nothing; the row count is the number deleted
DELETE FROM trading.idempotent_answer WHERE at < $1;
