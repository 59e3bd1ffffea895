-- Policies of governance, with the time after which each drafts a drift as a change.
--
-- returns  drift_after is null in a policy that drafts none; in the order of publication
select json_extract_string(document, '$.drift_after') as drift_after, published_at
from governance_policy_history
order by published_at;
