-- Observed and forecast assessments in force, with the event's title.
--
-- params   $assessment_type  VARCHAR
-- returns  the worst first; UNKNOWN last
select s.*, a.title
from severity_assessment as s
left join (
  select event_id, title from hazard_alert
) as a using (event_id)
where s.assessment_type = $assessment_type
order by s.level = 'UNKNOWN', s.score desc nulls last, s.event_id;
