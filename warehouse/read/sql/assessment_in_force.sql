-- The assessment of each subject that is in force at an instant, as known then.
--
-- template  {{columns}}  of the answer
--           {{heads}}    newest revision of every chain, as known at the instant
--           {{subject}}  columns that name what is assessed
--           {{at}}       the instant: a literal, or a column of the heads
-- returns   at most one row a subject
-- rule      approved or disputed, and effective at the instant; of several an override first, then committee, analyst, model,
--           then the greatest (effective_from, published_at, revision) (methodology rating-1 §13, which severity-1 §10 follows)
-- test      test/warehouse/read/assessment-in-force.test.ts holds this and pipelines/review/current-assessment.ts together
select {{columns}}
from {{heads}}
where review_state in ({{IN_FORCE_STATES}})
  and effective_from <= {{at}}
  and (effective_to is null or {{at}} < effective_to)
qualify row_number() over (
  partition by {{subject}}
  order by
    "override" is not null desc,
    list_position([{{ASSESSMENT_KINDS}}], issuer.kind),
    effective_from desc,
    published_at desc,
    revision desc,
    row_ordinal desc
) = 1
