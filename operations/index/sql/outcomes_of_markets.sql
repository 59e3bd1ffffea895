-- The outcomes of some markets, from their current records.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  one row an outcome in the market's own order; `outcome` is the label, event_id the market's
with outcome_of_market as (
  select market_id, event_id, unnest(outcomes) as o, generate_subscripts(outcomes, 1) as place
  from market
  where market_id in (select unnest($market_ids))
)
select market_id, event_id, o.outcome_id as outcome_id, o.label as outcome
from outcome_of_market
order by market_id, place;
