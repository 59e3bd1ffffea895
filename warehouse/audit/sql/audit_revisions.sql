-- Rows of one table that break the rules of a correction chain.
--
-- template  {{rows}}        every row of the table; {{revisions}} those that do not only confirm another
--           {{id}}          the column that names a record
--           {{chain}}       columns that identify a chain; {{same_chain}} joins r and t on them, null equal to null
-- returns   rule, id, detail; no row when every chain is right
-- rule      revisions are 1, 2, 3 ... in the order of publication; supersedes_id names an earlier row of the same chain
--           (as its id, or as id.revision where a chain has one id), at most one row names the same one, and it is there
--           exactly when correction_reason is. Every target is earlier, so no chain has a cycle.
with r as (
  select *,
    row_number() over (partition by {{chain}} order by published_at, row_ordinal) as expected_revision,
    count(*) over (partition by {{chain}}, supersedes_id) as successors
  from {{revisions}}
),
target as (
  select r.published_at, r.row_ordinal
  from r
  join {{rows}} as t on {{same_chain}}
  where r.supersedes_id is not null
    and (t.published_at, t.row_ordinal) < (r.published_at, r.row_ordinal)
    and r.supersedes_id in (t.{{id}}, t.{{id}} || '.' || t.revision)
)
select 'REVISION_NUMBER' as rule, {{id}} as id,
  'revision is ' || revision || ', its place in the chain is ' || expected_revision as detail
from r
where revision <> expected_revision
union all
select 'REVISION_REASON', {{id}},
  'supersedes_id is ' || coalesce(supersedes_id, 'null') || ', correction_reason is ' || coalesce(correction_reason, 'null')
from r
where (supersedes_id is null) <> (correction_reason is null)
union all
select 'REVISION_TARGET', {{id}}, 'supersedes_id ' || supersedes_id || ' names no earlier row of the chain'
from r
where supersedes_id is not null
  and (published_at, row_ordinal) not in (select (published_at, row_ordinal) from target)
union all
select 'REVISION_BRANCH', {{id}}, successors || ' rows supersede ' || supersedes_id
from r
where supersedes_id is not null and successors > 1
