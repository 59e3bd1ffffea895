-- Decisions at which markets become ineligible, or stop to be, by each policy.
--
-- returns  the decisions that differ in this from the one before, in the order of publication
with decisions as (
  select decision_id, market_id, policy_id, policy_version, revision, status, published_at
  from eligibility_decision_history
  union all
  select eligibility_id, market_id, 'pol_source_terms', 1, revision, status, published_at
  from market_eligibility_history
),
compared as (
  select
    *,
    status = 'ineligible' as is_ineligible,
    lag(status = 'ineligible') over (
      partition by market_id, policy_id, policy_version order by published_at, revision
    ) as was_ineligible
  from decisions
)
select decision_id, market_id, policy_id, policy_version, is_ineligible, published_at
from compared
where is_ineligible <> coalesce(was_ineligible, false)
order by published_at, revision, decision_id;
