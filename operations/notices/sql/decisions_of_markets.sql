-- Newest decisions about constituents of a version, with their status when they were selected.
--
-- params   $index_version_id  VARCHAR    version of an index
--          $policy_id         VARCHAR    eligibility policy
--          $policy_version    INTEGER    its version
--          $market_ids        VARCHAR[]  markets
-- returns  one row a market; decisions by the terms of the source state no facts
with decisions as (
  select market_id, policy_id, policy_version, revision, status, reason_codes, facts, facts_as_of, published_at
  from eligibility_decision_history
  union all
  select market_id, 'pol_source_terms', 1, revision, status, reason_codes, null, evaluated_at, published_at
  from market_eligibility_history
),
selected as (
  select unnest(constituents) as one
  from index_version_history
  where index_version_id = $index_version_id
)
select d.market_id, d.status, d.reason_codes, d.facts, d.facts_as_of, s.one.eligibility_status as status_at_selection
from decisions as d
left join selected as s on s.one.market_id = d.market_id
where d.policy_id = $policy_id
  and d.policy_version = $policy_version
  and list_contains($market_ids, d.market_id)
qualify row_number() over (partition by d.market_id order by d.published_at desc, d.revision desc) = 1
order by d.market_id;
