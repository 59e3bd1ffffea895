-- Addresses of the newest valid trades of each outcome, and when its first and its last row were published.
--
-- template  {{rows}}      the snapshot's Parquet files
--           {{is_trade}}  condition on trades (warehouse/read/is-trade.ts)
--           {{as_of}}     TIMESTAMPTZ literal, inclusive bound of published_at
--           {{kept}}      trades of an outcome at most
-- returns   market_id, outcome_id, first_published_at, changed_at, newest: structs of source_at, published_at and row_ordinal
-- rule      a trade that a later row supersedes, and a void, is no valid trade
with known as (
  select market_id, outcome_id, trade_id, supersedes_id, correction_kind, source_at, published_at, row_ordinal
  from {{rows}}
  where published_at <= {{as_of}} and {{is_trade}}
),
superseded as (
  select supersedes_id as trade_id from known where supersedes_id is not null
)
select
  k.market_id,
  k.outcome_id,
  min(k.published_at) as first_published_at,
  max(k.published_at) as changed_at,
  max(
    {'source_at': k.source_at, 'published_at': k.published_at, 'row_ordinal': k.row_ordinal}, {{kept}}
  ) filter (where s.trade_id is null and k.correction_kind is distinct from 'void') as newest
from known as k
left join superseded as s on s.trade_id = k.trade_id
group by k.market_id, k.outcome_id;
