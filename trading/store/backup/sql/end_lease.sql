-- Ends the lease of the engine that wrote the backup: its address and token must not lead anybody to it, and its epoch is passed.
--
-- returns  nothing
UPDATE trading.engine_lease SET expires_at = 'epoch', address = NULL, token = NULL, backend_pid = NULL;
