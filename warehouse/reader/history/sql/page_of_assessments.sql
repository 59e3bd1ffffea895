-- Addresses of the first records of a page of one subject's assessments.
--
-- template  {{id}}      the column that names a record
--           {{rows}}    Parquet files
--           {{known}}   condition on rows: the subject, published_at at or before as_of
--           {{newest}}  empty, or the clause that leaves the newest revision of each assessment alone
--           {{wanted}}  condition on records: the filters, and the page's cursor
--           {{limit}}   records at most
-- rule      order (effective_from, published_at, id) ascending
with record as (
  select *
  from {{rows}}
  where {{known}}
  {{newest}}
)
select published_at, row_ordinal, effective_from, {{id}}
from record
where {{wanted}}
order by effective_from, published_at, {{id}}
limit {{limit}}
