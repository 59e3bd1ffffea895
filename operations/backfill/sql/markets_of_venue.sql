-- The markets of one venue with their lifetimes.
--
-- params   $venue_id  VARCHAR
-- returns  one row a market, by source_market_id; opens_at null: the venue does not say; ended_at null: it goes on, or nobody said
--          that it ended
-- rule     a scheduled close ends nothing; a final resolution does, and what is said of it later counts
with ended as (
  select market_id, max(source_at) as ended_at
  from market_resolution__current
  where venue_id = $venue_id and finality = 'final'
  group by market_id
)
select
  m.venue_mapping.source_market_id as source_market_id,
  least(m.schedule.opens_at, m.created_at) as opens_at,
  e.ended_at as ended_at
from market__current as m
left join ended as e on e.market_id = m.market_id
where m.venue_mapping.venue_id = $venue_id
order by source_market_id;
