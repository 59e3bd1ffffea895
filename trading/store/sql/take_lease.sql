-- Takes the lease from the holder read before, or as its first holder.
--
-- params   $1 bigint epoch seen; 0: there was none   $2 text holder   $3 integer lease_ms
-- returns  the new epoch; 0 rows: another one was faster
INSERT INTO trading.engine_lease AS lease (lease_id, epoch, holder, address, token, backend_pid, expires_at)
VALUES (1, $1::bigint + 1, $2, NULL, NULL, pg_backend_pid(), clock_timestamp() + $3::integer * interval '1 millisecond')
ON CONFLICT (lease_id) DO UPDATE SET
  epoch = excluded.epoch, holder = excluded.holder, address = excluded.address, token = excluded.token,
  backend_pid = excluded.backend_pid, expires_at = excluded.expires_at
WHERE lease.epoch = $1
RETURNING epoch;
