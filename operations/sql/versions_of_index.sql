-- All visible versions of one index in the order in which they take effect.
--
-- params   $index_id  VARCHAR   idx_...
-- returns  one row a version, constituents nested
select *
from index_version
where index_id = $index_id
order by effective_from;
