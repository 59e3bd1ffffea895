-- Index definitions as known at an instant, with the status and active version derived from the versions known then.
--
-- template  {{rows}}      the definitions: current or every revision
--           {{versions}}  current rows of index_version
--           {{as_of}}     TIMESTAMPTZ literal
-- returns   the stored columns and active_version_id: the version effective at as_of, null before the first
-- rule      status is `scheduled` while the stored one is `active` and no version is effective yet
with effective as (
  select index_id, arg_max(index_version_id, (effective_from, published_at, row_ordinal)) as active_version_id
  from {{versions}}
  where effective_from <= {{as_of}}
  group by index_id
)
select
  d.* replace (case when d.status = 'active' and e.active_version_id is null then 'scheduled' else d.status end as status),
  e.active_version_id
from {{rows}} as d
left join effective as e on e.index_id = d.index_id
