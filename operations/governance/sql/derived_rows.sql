-- Every row of a table of records that follow from acts of governance.
--
-- template  {{table}}  governance_proposal_history, governance_roster_history or governance_policy_history
-- returns   in no order
select *
from {{table}};
