-- Complaints that were resolved since an instant.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  one row a complaint, in order
select complaint_id, revision, subject_id, outcome, reason, proposal_id
from governance_complaint_history
where state = 'resolved'
  and published_at >= $since::timestamptz
order by complaint_id;
