-- Every row of the index versions known at an instant, with the end of their effective interval.
--
-- template  {{rows}}      every row of index_version
--           {{versions}}  the versions as known at the instant (index_version.sql)
-- returns   the stored columns and effective_to, as of the instant
select r.*, v.effective_to
from {{rows}} as r
left join {{versions}} as v on v.index_version_id = r.index_version_id
