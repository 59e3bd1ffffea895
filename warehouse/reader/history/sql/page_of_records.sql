-- The first records of some files in the order of a page.
--
-- template  {{columns}}  stored columns that the records are made of
--           {{rows}}     Parquet files
--           {{known}}    condition on rows: the key asked for, published_at at or before as_of, the range of the page
--           {{kept}}     visible, or a query of it without superseded rows (without_superseded.sql)
--           {{records}}  a query of kept that gives the records
--           {{wanted}}   condition on records: other filters, and the page's cursor
--           {{order}}    sort key of the page
--           {{limit}}    records at most
with visible as (
  select {{columns}} from {{rows}} where {{known}}
),
kept as (
  {{kept}}
),
record as (
  {{records}}
)
select * from record
where {{wanted}}
order by {{order}}
limit {{limit}}
