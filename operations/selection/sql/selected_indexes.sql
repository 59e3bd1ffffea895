-- Indexes whose newest version is rebalanced by a schedule.
--
-- returns  in the order of index_id
with newest as (
  select index_id, arg_max(definition, effective_from) as definition
  from index_version
  group by index_id
)
select index_id
from newest
where (definition ->> '$.rebalance.schedule') is not null
order by index_id;
