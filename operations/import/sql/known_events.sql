-- Stored revisions of events that an archive may describe again.
--
-- params   $ids  list of VARCHAR, event ids
-- returns  one row a stored revision, any order
select event_id, revision, received_at, slug, title, description, category, regions, status, event_start, event_end, market_ids, source_mappings
from event_history
where event_id in (select unnest($ids));
