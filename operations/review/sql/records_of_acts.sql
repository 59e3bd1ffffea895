-- Every record that an act of review made.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
-- returns   in no order
select *
from {{rows}}
where act_id is not null;
