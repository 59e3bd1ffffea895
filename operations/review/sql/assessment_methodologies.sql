-- Every methodology of ratings and severity that is published.
--
-- returns  one row a version
select methodology_id, version
from assessment_methodology;
