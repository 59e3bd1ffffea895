-- Rows by their addresses.
--
-- template  {{columns}}  the table's columns
--           {{rows}}     Parquet files
--           {{known}}    condition that all of these rows meet; files excluded by it are not decoded
-- params    $stamps      VARCHAR[], published_at of each row
--           $ordinals    VARCHAR[], row_ordinal of each row
-- rule      (published_at, row_ordinal) names one row of a table
with address as (
  select unnest($stamps)::timestamptz as published_at, unnest($ordinals)::integer as row_ordinal
)
select {{columns}}
from {{rows}} as r
semi join address as a on a.published_at = r.published_at and a.row_ordinal = r.row_ordinal
where {{known}}
order by published_at, row_ordinal;
