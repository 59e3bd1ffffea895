-- The current statement of every chain: a row that only confirms one is not shown, but moves its confirmed_at.
--
-- template  {{rows}}             current rows of the table
--           {{every}}            every visible row
--           {{same_chain}}       joins a statement s and a confirming row c on their chain, null equal to null
--           {{is_confirmation}}  condition on rows that only confirm (warehouse/read/is-confirmation.ts)
--           {{confirmed_at}}     column of a confirming row: the instant at which it confirms
--           {{shown}}            select list in terms of the statement, confirmed_by and what is joined
--           {{joined}}           join of a further relation to the relation shown, or nothing
-- returns   the columns of the table, and confirmed_at; every row as stored is in the history form of the view
-- rule      a row confirms the statement of its chain with the greatest revision up to its own
--           (pipelines/revisions/statements.ts)
with statement as (
  select * from {{every}} where not {{is_confirmation}}
),
confirmed as (
  select s.*, c.{{confirmed_at}} as confirmed_by
  from {{rows}} as c
  join statement as s on {{same_chain}} and s.revision <= c.revision
  where {{is_confirmation_of_c}}
  qualify row_number() over (partition by c.published_at, c.row_ordinal order by s.revision desc, s.received_at desc) = 1
)
select {{shown}} from (
  select *, null::timestamptz as confirmed_by from {{rows}} where not {{is_confirmation}}
  union all
  select * from confirmed
) as shown {{joined}}
