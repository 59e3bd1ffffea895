-- Every outcome of every market that has quotes, once for each source series that quotes the market.
--
-- returns  in the order of the market's outcomes; `outcome` is the name from which the outcome's id is derived: the venue's own id,
--          or the label of an outcome listed here; event_id the market's
-- rule     an outcome without quotes of its own is there too: its mark may come from the other one
with series as (
  select distinct market_id, venue_id, source_series_id, source_market_id
  from market_quote__current
),
outcome_of_market as (
  select
    market_id,
    event_id,
    venue_mapping.source_outcome_ids as named,
    unnest(outcomes) as o,
    generate_subscripts(outcomes, 1) as place
  from market__current
)
select
  s.venue_id,
  s.source_series_id,
  s.source_market_id,
  s.market_id,
  o.event_id,
  o.o.outcome_id as outcome_id,
  coalesce(nullif(o.named[o.place], o.o.outcome_id), o.o.label) as outcome
from series as s
join outcome_of_market as o on o.market_id = s.market_id
order by s.market_id, s.source_series_id, o.place;
