-- Gives the lease back, so that a standby need not wait for its end.
--
-- params   $1 bigint epoch
-- returns  nothing
UPDATE trading.engine_lease SET expires_at = 'epoch', address = NULL, token = NULL WHERE epoch = $1;
