-- Statuses of indexes.
--
-- returns  each revision of a definition, by index and publication
select index_id, status, published_at
from index_definition_history
order by index_id, published_at, revision;
