-- Assessments of one type that are in force at the session's instant.
--
-- params   $assessment_type  VARCHAR
-- returns  one row an event
select event_id, assessment_id, level, score
from severity_assessment
where assessment_type = $assessment_type;
