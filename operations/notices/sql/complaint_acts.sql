-- Every act on a complaint.
--
-- returns  one row a revision of a complaint, in the order of publication
select *
from governance_complaint_history
order by published_at, row_ordinal;
