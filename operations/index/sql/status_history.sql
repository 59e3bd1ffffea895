-- Every record of the indexes that were ever suspended or archived.
--
-- returns  by index in the order of the revisions; updated_at is the instant from which the status holds
select index_id, status, updated_at
from index_definition_history
where index_id in (select index_id from index_definition_history where status in ({{INACTIVE_STATUSES}}))
order by index_id, revision;
