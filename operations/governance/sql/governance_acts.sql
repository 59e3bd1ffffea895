-- Every act of governance.
--
-- returns  in the sequence in which they were recorded
select *
from governance_act
order by sequence;
