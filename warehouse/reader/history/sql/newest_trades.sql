-- The newest valid trade of each outcome among the rows of some files known at an instant.
--
-- template  {{columns}}   stored columns to return
--           {{rows}}      Parquet files
--           {{known}}     condition on rows: the market, published_at at or before as_of
--           {{kept}}      visible, or a query of it without superseded rows (without_superseded.sql)
--           {{is_trade}}  condition on trades (warehouse/read/is-trade.ts)
-- rule      the order of the last trade is that of a candle's close: (source_at, published_at, row_ordinal)
with visible as (
  select {{columns}} from {{rows}} where {{known}}
),
kept as (
  {{kept}}
)
select * from kept
where {{is_trade}} and correction_kind is distinct from 'void'
qualify row_number() over (partition by outcome_id order by source_at desc, published_at desc, row_ordinal desc) = 1
