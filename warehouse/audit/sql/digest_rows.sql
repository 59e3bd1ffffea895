-- Hashes of rows, for two digests in one pass that do not depend on the distribution of rows over files.
--
-- template  {{rows}}  statement with row_sha256 and is_current of each row (rows_flagged.sql, rows_current.sql)
-- returns   bucket (the first three hex digits of a row's SHA-256); of its current rows and of all its rows the number, and
--           the SHA-256 of their hashes one after another in ascending order; in the order of buckets, at most 4096 rows
with hashed as (
  {{rows}}
)
select
  substr(row_sha256, 1, 3) as bucket,
  count(*) filter (where is_current) as current_rows,
  sha256(string_agg(row_sha256, '' order by row_sha256) filter (where is_current)) as current_sha256,
  count(*) as visible_rows,
  sha256(string_agg(row_sha256, '' order by row_sha256)) as visible_sha256
from hashed
group by bucket
order by bucket
