-- Takes the lease of deliveries for this connection, which holds it until it ends.
--
-- returns  is_taken: false while another connection holds it
SELECT pg_try_advisory_lock(7309452211) AS is_taken
