-- Markets that a listing may refer to: the open ones of one venue, and some given by id.
--
-- params   $venue_id    VARCHAR
--          $market_ids  VARCHAR[]  mkt_...
-- returns  one row a market with the category of its event, its newest volume and how it ends (null: nobody said)
-- rule     the latest statement about its end counts
with ends as (
  select
    market_id,
    resolution_id,
    finality,
    payouts,
    evidence,
    source_at,
    published_at
  from market_resolution__current
  qualify row_number() over (partition by market_id order by source_at desc, received_at desc, revision desc) = 1
),
sizes as (
  select market_id, volume_24h
  from market_metric
  qualify row_number() over (partition by market_id order by source_at desc, received_at desc) = 1
)
select
  m.market_id,
  m.event_id,
  m.title,
  m.status,
  m.outcomes,
  m.rules,
  m.schedule,
  m.venue_mapping.venue_id as venue_id,
  e.category,
  s.volume_24h,
  r.resolution_id,
  r.finality,
  r.payouts,
  r.evidence,
  r.source_at as resolved_at,
  r.published_at as stated_at
from market__current as m
left join event__current as e on e.event_id = m.event_id
left join sizes as s on s.market_id = m.market_id
left join ends as r on r.market_id = m.market_id
where m.venue_mapping.venue_id = $venue_id
  and (m.status = 'open' or m.market_id in (select unnest($market_ids)))
order by m.market_id;
