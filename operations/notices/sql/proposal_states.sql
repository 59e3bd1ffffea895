-- States of proposals that have a state published between two instants, each with those before it.
--
-- params   $since  TIMESTAMPTZ  first instant of publication that counts at all
--          $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  every revision of each such proposal, in order
select proposal_id, revision, kind, target, change_class, state, reason, rationale, effective_at, lapses_at, act_id,
  published_at
from governance_proposal_history
where published_at >= $since::timestamptz
  and published_at <= $through::timestamptz
  and proposal_id in (select proposal_id from governance_proposal_history where published_at > $after::timestamptz)
order by proposal_id, revision;
