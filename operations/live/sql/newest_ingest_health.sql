-- Last health report of a venue's ingest.
--
-- params   $venue_id  VARCHAR
-- returns  one row, or none
select gaps, quarantined, records_new, sessions, last_success_at, last_source_at
from ingest_health
where venue_id = $venue_id;
