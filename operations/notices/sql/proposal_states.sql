-- States of proposals that have a state published between two instants, each with those before it.
--
-- params   $since  TIMESTAMPTZ  first instant of publication that counts at all
--          $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  every revision of each such proposal, in order; enacted_at is when its activation was recorded, null before
select
  state.proposal_id,
  state.revision,
  state.kind,
  state.content,
  state.target,
  state.change_class,
  state.state,
  state.reason,
  state.rationale,
  state.effective_at,
  state.lapses_at,
  activation.recorded_at as enacted_at,
  state.act_id,
  state.published_at
from governance_proposal_history as state
left join governance_act as activation
  on activation.subject_id = state.proposal_id
  and activation.act = 'activate'
  and state.state in ({{ENACTED_STATES}})
where state.published_at >= $since::timestamptz
  and state.published_at <= $through::timestamptz
  and state.proposal_id in (
    select proposal_id from governance_proposal_history where published_at > $after::timestamptz
  )
order by state.proposal_id, state.revision;
