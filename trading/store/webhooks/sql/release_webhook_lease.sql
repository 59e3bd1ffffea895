-- Gives the lease of deliveries back.
--
-- returns  is_released
SELECT pg_advisory_unlock(7309452211) AS is_released
