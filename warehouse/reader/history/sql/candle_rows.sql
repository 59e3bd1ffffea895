-- Current rows of one series that may fall into candles of a half-open range.
--
-- template  {{columns}}  stored columns that the records are made of
--           {{rows}}     Parquet files
--           {{known}}    condition on rows: the key asked for, published_at at or before as_of, the range
--           {{kept}}     visible, or a query of it without superseded rows (without_superseded.sql)
--           {{records}}  a query of kept that gives the records
--           {{wanted}}   condition on records
--           {{shown}}    select list: the record's id and the columns of a candle row
--           {{limit}}    rows at most
-- rule     methodology §15: in candles, priced rows are bucketed by source_cutoff_at, others by tick_at
with visible as (
  select {{columns}} from {{rows}} where {{known}}
),
kept as (
  {{kept}}
),
record as (
  {{records}}
)
select {{shown}} from record
where {{wanted}}
limit {{limit}}
