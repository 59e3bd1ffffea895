-- The outcomes of some markets, from their current records.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  one row an outcome in the market's own order; `outcome` is the name from which the outcome's id is derived: the
--          venue's own id, or the label of an outcome listed here; `label` what people read; event_id the market's
with outcome_of_market as (
  select
    market_id,
    event_id,
    venue_mapping.source_outcome_ids as named,
    unnest(outcomes) as o,
    generate_subscripts(outcomes, 1) as place
  from market__current
  where market_id in (select unnest($market_ids))
)
select
  market_id,
  event_id,
  o.outcome_id as outcome_id,
  coalesce(nullif(named[place], o.outcome_id), o.label) as outcome,
  o.label as label
from outcome_of_market
order by market_id, place;
