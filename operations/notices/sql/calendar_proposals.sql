-- Proposals in their newest state.
--
-- returns  one row a proposal, in no order
select
  proposal_id,
  kind,
  content,
  target,
  change_class,
  state,
  proposed_at,
  comment_ends_at,
  vote_ends_at,
  effective_at,
  lapses_at,
  published_at
from governance_proposal;
