-- Published link factors of every index (methodology §10).
--
-- returns  the current record of each version's link
select index_id, index_version_id, link_factor
from index_link;
