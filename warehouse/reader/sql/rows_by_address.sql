-- Rows by their places.
--
-- template  {{columns}}  the table's columns
--           {{rows}}     Parquet files
--           {{known}}    condition on rows that every one of the places meets; what it excludes is not decoded
-- params    $stamps      VARCHAR[], published_at of each place
--           $ordinals    VARCHAR[], row_ordinal of each place
-- rule      (published_at, row_ordinal) names one row of a table
with place as (
  select unnest($stamps)::timestamptz as published_at, unnest($ordinals)::integer as row_ordinal
)
select {{columns}}
from {{rows}} as r
semi join place as p on p.published_at = r.published_at and p.row_ordinal = r.row_ordinal
where {{known}}
order by published_at, row_ordinal;
