-- Every record of observed assessments, with the columns that decide which is in force at an instant.
--
-- returns  the records of one event together
select
  assessment_id as record_id,
  event_id,
  chain_id,
  revision,
  issuer.kind as kind,
  review_state,
  effective_from,
  effective_to,
  published_at,
  row_ordinal,
  "override" is not null as overrides,
  level,
  score
from severity_assessment_history
where assessment_type = 'observed'
order by event_id, published_at, revision;
