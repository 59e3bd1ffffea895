-- Index versions as known at an instant, with the end of their effective interval.
--
-- template  {{rows}}  current rows of index_version
-- returns   the stored columns and effective_to: the next effective_from of the same index known then, null for the last
-- rule      effective intervals are half-open [effective_from, effective_to); effective_to is never stored, because a
--           published version is never edited and its successor may be published later
select
  *,
  min(effective_from) over (
    partition by index_id order by effective_from range between interval 1 microsecond following and unbounded following
  ) as effective_to
from {{rows}}
