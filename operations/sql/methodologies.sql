-- Every visible methodology version.
--
-- returns  one row a version
select *
from methodology
order by methodology_id, version;
