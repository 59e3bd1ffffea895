-- Versions of eligibility policies known at the session's instant.
--
-- returns  in the order of policy_id and version
select *
from eligibility_policy
order by policy_id, version;
