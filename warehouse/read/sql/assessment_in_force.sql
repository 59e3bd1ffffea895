-- The assessment of each subject that is in force at an instant, as known then.
--
-- template  {{view}}      market_rating or severity_assessment
--           {{columns}}   the table's columns
--           {{current}}   the newest visible revision of every chain
--           {{subject}}   columns that name what is assessed
--           {{as_of}}     TIMESTAMPTZ literal
-- rule      approved or disputed, and effective at as_of; of several an override first, then committee, analyst, model, then
--           the greatest (effective_from, published_at, revision) (methodology §14, §19)
-- test      test/warehouse/read/assessments-in-force.test.ts holds this and pipelines/review/current-assessment.ts together
create view {{view}} as
select {{columns}}
from {{current}}
where review_state in ('approved', 'disputed')
  and effective_from <= {{as_of}}
  and (effective_to is null or {{as_of}} < effective_to)
qualify row_number() over (
  partition by {{subject}}
  order by
    "override" is not null desc,
    list_position(['committee', 'analyst', 'model'], issuer.kind),
    effective_from desc,
    published_at desc,
    revision desc,
    row_ordinal desc
) = 1;
