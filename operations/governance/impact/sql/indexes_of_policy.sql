-- Indexes whose newest version selects by a version of an eligibility policy, and that have not ended.
--
-- params   $policy_id  VARCHAR   pol_...
-- returns  in the order of index_id
with newest as (
  select index_id, arg_max(definition, effective_from) as definition
  from index_version
  group by index_id
)
select newest.index_id
from newest join index_definition using (index_id)
where (newest.definition ->> '$.selection.eligibility_policy.policy_id') = $policy_id
  and index_definition.status <> 'archived'
order by newest.index_id;
