-- One act of review with the records that follow from it.
--
-- params   $act_id  VARCHAR
-- returns  at most one row
select *
from assessment_act
where act_id = $act_id;
