-- Versions whose summary may name a notice as their author.
--
-- returns  in the order of publication
select index_version_id, definition
from index_version
where contains(definition, 'drafted by notice ')
order by published_at, index_version_id;
