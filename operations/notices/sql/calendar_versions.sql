-- Versions of indexes by the instant at which they take effect.
--
-- returns  one row a version, in no order
select index_version_id, index_id, version, effective_from, published_at
from index_version;
