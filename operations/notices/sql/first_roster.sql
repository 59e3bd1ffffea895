-- First roster of a home, from which on the service publishes notices.
--
-- returns  one row with the publication of its proposal, or none
select p.published_at as proposed_at
from governance_roster_history as r
join governance_proposal_history as p on p.proposal_id = r.proposal_id
order by r.version, p.revision
limit 1;
