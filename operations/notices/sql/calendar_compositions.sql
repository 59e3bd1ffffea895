-- Announced compositions of indexes.
--
-- returns  one row a composition, in no order
select index_version_id, index_id, version, effective_from, base_version_id, definition, published_at
from index_pro_forma;
