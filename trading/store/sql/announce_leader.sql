-- Publishes where the leader accepts submissions, once it has read its state; its lease is short from now on.
--
-- params   $1 bigint epoch   $2 text address or null   $3 text token or null   $4 integer lease_ms
-- returns  1 row; 0 rows: the lease is lost
UPDATE trading.engine_lease
SET address = $2, token = $3, expires_at = clock_timestamp() + $4::integer * interval '1 millisecond'
WHERE epoch = $1
RETURNING epoch;
