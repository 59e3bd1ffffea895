-- Current row of every chain at an instant after the last commit that the derived interval file covers.
--
-- template  {{columns}}    the table's columns
--           {{intervals}}  the interval file (build_intervals.sql)
--           {{tail}}       files that may hold rows published after {{covered}}
--           {{covered}}    TIMESTAMPTZ literal: last published_at in the interval file
--           {{as_of}}      TIMESTAMPTZ literal, after {{covered}}
--           {{chain}}      columns that identify a chain; {{same_chain}} joins c and t on them, null equal to null
--           {{newest}}     the current key, every column descending
-- rule      a chain without a row in the tail keeps its covered current row; a chain with one is decided again
--           between that row and the tail's, so a late row with a smaller key still never becomes current
-- exact     published_at is strictly increasing from commit to commit, so (covered, as_of] is exactly the later commits,
--           however files were compacted since
(
  with tail as (
    select {{columns}} from {{tail}}
    where published_at > {{covered}} and published_at <= {{as_of}}
  ),
  touched as (
    select distinct {{chain}} from tail
  ),
  covered as (
    select {{columns}} from {{intervals}} where superseded_at > {{as_of}}
  )
  select {{columns}} from covered as c anti join touched as t on {{same_chain}}
  union all
  select {{columns}}
  from (
    select {{columns}} from covered as c semi join touched as t on {{same_chain}}
    union all
    select {{columns}} from tail
  )
  qualify row_number() over (partition by {{chain}} order by {{newest}}) = 1
)
