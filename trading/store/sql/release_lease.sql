-- Releases the lease, so that a standby need not wait until it expires.
--
-- params   $1 bigint epoch
-- returns  nothing
UPDATE trading.engine_lease SET expires_at = 'epoch', address = NULL, token = NULL WHERE epoch = $1;
