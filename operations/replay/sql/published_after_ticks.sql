-- Records that a replay admits at some ticks although they were published after the cutoff and grace: no level published live has them.
--
-- template {{counted_from}}  counted_from.sql of operations/index
-- params   $market_ids  VARCHAR[]  mkt_...
--          $tick_ats    VARCHAR[]  instants, ascending
--          $graces_us   VARCHAR[]  grace of each tick, in microseconds
--          and those of counted_from.sql
-- returns  at most one row a tick: of the newest record of each series the one that was published last
with wanted as (
  select unnest($tick_ats::VARCHAR[])::timestamptz as tick_at, unnest($graces_us::VARCHAR[])::BIGINT as grace_us
),
record as (
  select
    'quote' as kind, market_id, outcome_id || ' ' || coalesce(source_series_id, '') as series,
    source_at, received_at, published_at, revision
  from market_quote_history
  union all
  select 'market state' as kind, market_id, '' as series, source_at, received_at, published_at, revision
  from market_history
  union all
  select
    'resolution' as kind, market_id, coalesce(source_series_id, '') as series,
    source_at, received_at, published_at, revision
  from market_resolution_history
),
newest as (
  select *, {{counted_from}} as known_at
  from record
  where market_id in (select unnest($market_ids::VARCHAR[]))
    and source_at <= (select max(tick_at) from wanted)
  qualify row_number() over (
    partition by kind, market_id, series, source_at
    order by received_at desc, revision desc
  ) = 1
),
asked as (
  select * from wanted cross join (select distinct kind, market_id, series from newest)
)
select asked.tick_at, asked.kind, asked.market_id, newest.received_at, newest.published_at
from asked
asof join newest
  on asked.kind = newest.kind
  and asked.market_id = newest.market_id
  and asked.series = newest.series
  and asked.tick_at >= newest.source_at
where newest.known_at <= asked.tick_at + to_microseconds(asked.grace_us)
  and newest.published_at > asked.tick_at + to_microseconds(asked.grace_us)
qualify row_number() over (
  partition by asked.tick_at
  order by newest.published_at desc, asked.market_id, asked.kind
) = 1
order by asked.tick_at;
