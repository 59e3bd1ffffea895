-- Complaints that were resolved, published between two instants.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  one row a complaint, in order
select complaint_id, revision, subject_id, outcome, reason, proposal_id
from governance_complaint_history
where state = 'resolved'
  and published_at > $after::timestamptz
  and published_at <= $through::timestamptz
order by complaint_id;
