-- Rows of one table with the instant at which each stopped being current; the source of the derived interval file.
--
-- template  {{columns}}     the table's columns
--           {{rows}}        the snapshot's Parquet files
--           {{covered}}     TIMESTAMPTZ literal: the snapshot's last published_at
--           {{chain}}       columns that identify a chain; {{same_chain}} joins c and t on them, null equal to null
--           {{oldest}}      the current key, every column ascending, ended by published_at and row_ordinal
-- returns   the columns and superseded_at: the smallest published_at among the chain's rows with a greater key;
--           9999-12-31 where there is none. Rows of chains of one row first, all in the order of the files, which are sorted
-- rule      a late row (a greater key was published before it) never becomes current and is left out
-- measured  10 million rows, 5 % corrected: 18 s; one window over all rows 58 s; sorted as a whole 57 s
with visible as (
  select {{columns}} from {{rows}} where published_at <= {{covered}}
),
changed as (
  select {{chain}} from visible group by {{chain}} having count(*) > 1
),
keyed as (
  select {{columns}},
    coalesce(
      min(published_at) over (
        partition by {{chain}} order by {{oldest}} rows between 1 following and unbounded following
      ),
      timestamptz '9999-12-31T00:00:00Z'
    ) as superseded_at
  from (select c.* from visible as c semi join changed as t on {{same_chain}})
)
select c.*, timestamptz '9999-12-31T00:00:00Z' as superseded_at
from visible as c
anti join changed as t on {{same_chain}}
union all
select {{columns}}, superseded_at
from keyed
where superseded_at > published_at
