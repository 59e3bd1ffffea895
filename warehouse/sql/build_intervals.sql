-- Rows of one table with the instant at which each stopped being current; the source of the derived interval file.
--
-- template  {{columns}}  the table's columns
--           {{rows}}     the snapshot's Parquet files
--           {{covered}}  TIMESTAMPTZ literal: the snapshot's last published_at
--           {{chain}}    columns that identify a chain
--           {{oldest}}   the current key, every column ascending, ended by published_at and row_ordinal
--           {{sort}}     order of the rows inside the file
-- returns   the columns and superseded_at: the smallest published_at among the chain's rows with a greater key;
--           9999-12-31 where there is none
-- rule      a late row (a greater key was published before it) never becomes current and is left out
with keyed as (
  select {{columns}},
    coalesce(
      min(published_at) over (
        partition by {{chain}} order by {{oldest}} rows between 1 following and unbounded following
      ),
      timestamptz '9999-12-31T00:00:00Z'
    ) as superseded_at
  from {{rows}}
  where published_at <= {{covered}}
)
select {{columns}}, superseded_at
from keyed
where superseded_at > published_at
order by {{sort}}
