-- Stored revisions of alerts about the hazard events in an archive.
--
-- params   $ids  list of VARCHAR, event ids
-- returns  one row a stored revision, any order
select *
from hazard_alert_history
where event_id in (select unnest($ids));
