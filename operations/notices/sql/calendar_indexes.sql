-- Indexes in their newest status.
--
-- returns  one row an index, in no order
select index_id, status, coalesce(updated_at, published_at) as since
from index_definition;
