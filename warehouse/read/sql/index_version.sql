-- Index versions as known at an instant, with the end of their effective interval.
--
-- template  {{rows}}      the versions: current or every row
--           {{versions}}  current rows of index_version
-- returns   the stored columns and effective_to: the next effective_from of the same index known then, null for the last
-- rule      effective intervals are half-open [effective_from, effective_to); effective_to is never stored, because a
--           published version is never edited and its successor may be published later
with successor as (
  select v.index_version_id, min(s.effective_from) as effective_to
  from {{versions}} as v
  join {{versions}} as s on s.index_id = v.index_id and s.effective_from > v.effective_from
  group by v.index_version_id
)
select r.*, s.effective_to
from {{rows}} as r
left join successor as s on s.index_version_id = r.index_version_id
