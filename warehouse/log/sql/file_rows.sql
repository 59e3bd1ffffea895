-- Row counts and stamps of data files, for comparison with the table's log.
--
-- template  {{files}}  list of local paths of Parquet files of one table
-- returns   one row a file: filename, rows, ordinals (distinct row_ordinal), ordinal_max, stamp_min and stamp_max
--           (published_at in microseconds, as text: they need 51 bits)
select
  filename,
  count(*)::integer as rows,
  count(distinct row_ordinal)::integer as ordinals,
  max(row_ordinal) as ordinal_max,
  epoch_us(min(published_at))::varchar as stamp_min,
  epoch_us(max(published_at))::varchar as stamp_max
from read_parquet({{files}}, filename = true)
group by filename
