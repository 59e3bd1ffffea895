-- Hashes of the rows of a relation, for a digest that does not depend on the distribution of rows over files.
--
-- template  {{relation}}  known(T) or current(T) of one table
--           {{texts}}     every column as text, a null one marked
-- returns   bucket (the first three hex digits of a row's SHA-256), the number of its rows, and the SHA-256 of its rows'
--           hashes one after another in ascending order; in the order of buckets, at most 4096 rows
with hashed as (
  select sha256(concat_ws(chr(31), {{texts}})) as row_sha256
  from {{relation}}
)
select
  substr(row_sha256, 1, 3) as bucket,
  count(*) as bucket_rows,
  sha256(string_agg(row_sha256, '' order by row_sha256)) as bucket_sha256
from hashed
group by bucket
order by bucket
