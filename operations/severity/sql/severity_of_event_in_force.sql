-- The assessment of one event and type that is in force at the session's instant.
--
-- params   $event_id         VARCHAR
--          $assessment_type  VARCHAR
-- returns  at most one row
select * from severity_assessment where event_id = $event_id and assessment_type = $assessment_type;
