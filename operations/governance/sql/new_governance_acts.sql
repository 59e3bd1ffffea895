-- Acts of governance after the known ones.
--
-- sequence  that of the last known act
-- returns   in the sequence in which they were recorded
select *
from governance_act_history
where sequence > $sequence
order by sequence;
