-- Indexes whose newest version uses a methodology, and that have not ended.
--
-- params   $methodology_id  VARCHAR   mth_...
-- returns  in the order of index_id
with newest as (
  select index_id, arg_max(methodology_id, effective_from) as methodology_id
  from index_version
  group by index_id
)
select newest.index_id
from newest join index_definition using (index_id)
where newest.methodology_id = $methodology_id and index_definition.status <> 'archived'
order by newest.index_id;
