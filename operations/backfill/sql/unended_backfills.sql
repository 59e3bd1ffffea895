-- The backfills whose last report is not of their end.
--
-- params   none
-- returns  one row a backfill, by backfill_id
select backfill_id, updated_at
from backfill_run
where state in ({{UNENDED_BACKFILL_STATES}})
order by backfill_id;
