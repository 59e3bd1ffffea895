-- States of proposals published since an instant, each with those before it.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  every revision of each proposal that has a revision since then, in order
select proposal_id, revision, kind, target, change_class, state, reason, rationale, effective_at, act_id, published_at
from governance_proposal_history
where published_at >= $since::timestamptz
order by proposal_id, revision;
