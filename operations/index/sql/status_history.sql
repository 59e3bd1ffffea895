-- Every record of the indexes that were ever suspended or archived.
--
-- returns  by index in the order of the revisions; updated_at is the instant from which the status holds
-- exact    statuses as stored: none of these is derived from versions
select index_id, status, updated_at
from index_definition__visible
qualify bool_or(status in ({{INACTIVE_STATUSES}})) over (partition by index_id)
order by index_id, revision;
