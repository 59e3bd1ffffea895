-- Holder of the lease, and whether it may be taken.
--
-- returns  0 or 1 row; 0 rows: nobody ever had it
-- rule     it may be taken once it has expired by this server's clock, or once the connection of its holder is gone: nothing can be
--          committed through a connection that is gone, and a holder that makes a new one finds its epoch passed
SELECT
  epoch, holder, address, token, backend_pid, expires_at,
  expires_at < clock_timestamp()
    OR NOT EXISTS (
      SELECT FROM pg_stat_activity
      WHERE pid = engine_lease.backend_pid AND datname = current_database() AND application_name = 'tidemark engine'
    ) AS is_free
FROM trading.engine_lease;
