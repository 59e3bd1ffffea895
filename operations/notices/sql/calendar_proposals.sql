-- Proposals in their newest state.
--
-- returns  one row a proposal, in no order
select proposal_id, target, change_class, state, effective_at, published_at
from governance_proposal;
