-- Data files in which a row is stamped before one that was given earlier in the same commit.
--
-- template  {{files}}  list of local paths of Parquet files of one table, each as it was appended
-- returns   filename of each such file, once
-- rule      published_at never descends along row_ordinal: the two together are the order of publication
select distinct filename
from (
  select
    filename,
    published_at < lag(published_at) over (partition by filename order by row_ordinal) as descends
  from read_parquet({{files}}, filename = true)
)
where descends
