-- The records that one act of review made.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
-- params    $act_id   VARCHAR
-- returns   in no order
select *
from {{rows}}
where act_id = $act_id;
