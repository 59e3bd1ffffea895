-- Statuses that indexes had and have.
--
-- returns  one row a revision of an index; revisions of the same instant in their order
select index_id, status, coalesce(updated_at, published_at) as since
from index_definition_history
order by index_id, revision;
