-- Terminates the connection of a former leader and waits until it is gone, so that no transaction of it remains open.
--
-- params   $1 integer  process of the connection
-- returns  1 row where there was one
-- rule     only an engine's connection to this database: the number may have been given out again
SELECT pg_terminate_backend(pid, 2000)
FROM pg_stat_activity
WHERE pid = $1 AND pid <> pg_backend_pid() AND datname = current_database() AND application_name = 'tidemark engine';
