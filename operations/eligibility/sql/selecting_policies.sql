-- Versions of eligibility policies by which the newest version of an index selects.
--
-- returns  one row a version of a policy; policy_version as text
with newest as (
  select index_id, arg_max(definition, effective_from) as definition
  from index_version
  group by index_id
)
select distinct
  definition ->> '$.selection.eligibility_policy.policy_id' as policy_id,
  definition ->> '$.selection.eligibility_policy.version' as policy_version
from newest
where (definition ->> '$.selection.eligibility_policy.policy_id') is not null
order by policy_id, policy_version;
