-- Newest revisions of assessments known at an instant that are or may become in force, or await a person.
--
-- template  {{series}}  columns that name what is assessed
--           {{rows}}    Parquet files
--           {{known}}   condition on rows: what is asked for, published_at at or before as_of
--           {{kept}}    most records of the program per series, latest first; those of people are all returned
-- returns   the columns that decide whether a record is in force, and its address
-- rule      methodology §14; warehouse/reader/assessment-rows.ts chooses among them
with head as (
  select
    {{series}}, chain_id, revision, review_state, issuer.kind as kind, "override" is not null as overrides,
    methodology_id, effective_from, effective_to, published_at, row_ordinal
  from {{rows}}
  where {{known}}
  qualify row_number() over (partition by chain_id order by revision desc, published_at desc, row_ordinal desc) = 1
)
select *
from head
where review_state in ({{KEPT_STATES}})
qualify kind <> 'model' or overrides or effective_to is not null or review_state = 'under_review'
  or row_number() over (
    partition by {{series}}, kind, overrides, effective_to is null, review_state = 'under_review'
    order by effective_from desc, published_at desc, revision desc, row_ordinal desc
  ) <= {{kept}}
order by published_at, row_ordinal
