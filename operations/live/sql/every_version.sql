-- All visible versions of every index in the order in which they take effect.
--
-- returns  one row a version, constituents nested
select *
from index_version
order by index_id, effective_from;
