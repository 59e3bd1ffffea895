-- Facts about markets as known at the session's instant, but for those that need a window of history.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  one row a market in the order of market_id: its record, category, terms of its source, rating in force, stated sizes and
--          the last two-sided quote of its first outcome
-- rule     a quote without a bid or an ask gives no spread
with wanted as (
  select market_id, revision, event_id, title, status, outcome_type, outcomes, schedule, venue_mapping, source_at, received_at
  from market
  where market_id in (select unnest($market_ids))
),
quote as (
  select
    q.market_id,
    arg_max(struct_pack(record_id := q.record_id, spread := q.ask - q.bid, observed_at := coalesce(q.confirmed_at, q.source_at)),
      (q.source_at, q.received_at, q.revision)) as last
  from market_quote as q
  join wanted as w on w.market_id = q.market_id and w.outcomes[1].outcome_id = q.outcome_id
  where q.bid is not null and q.ask is not null
  group by q.market_id
),
metric as (
  select *
  from market_metric
  qualify row_number() over (partition by market_id order by source_at desc, received_at desc, revision desc) = 1
)
select
  w.*,
  e.category,
  t.eligibility_id,
  t.status as source_terms,
  t.evaluated_at as source_terms_at,
  r.rating_id,
  r.band,
  r.score,
  r.component_scores,
  r.observation_cutoff_at as rated_at,
  m.metric_id,
  m.volume_24h,
  m.open_interest,
  m.liquidity_notional,
  m.source_at as metric_at,
  q.last as quote
from wanted as w
left join event as e on e.event_id = w.event_id
left join market_eligibility as t on t.market_id = w.market_id
left join market_rating as r on r.market_id = w.market_id
left join metric as m on m.market_id = w.market_id
left join quote as q on q.market_id = w.market_id
order by w.market_id;
