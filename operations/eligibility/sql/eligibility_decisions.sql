-- Current decisions of one version of a policy.
--
-- params   $policy_id       VARCHAR   pol_...
--          $policy_version  INTEGER
-- returns  one row a market that was evaluated
select *
from eligibility_decision
where policy_id = $policy_id and policy_version = $policy_version;
