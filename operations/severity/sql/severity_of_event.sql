-- Every visible record of one event's assessments of one type, whatever its state.
--
-- params   $event_id         VARCHAR
--          $assessment_type  VARCHAR
-- returns  ascending by (effective_from, published_at, assessment_id), the interface's order
select *
from severity_assessment_history
where event_id = $event_id and assessment_type = $assessment_type
order by effective_from, published_at, assessment_id;
