-- Markets of some venues that a record describes or a stored quote is of.
--
-- params   $venue_ids  VARCHAR[]   venues
-- returns  one row a market, ascending: the venue's own id of it
with named as (
  select venue_mapping.venue_id as venue_id, venue_mapping.source_market_id as source_market_id
  from market__current
  union
  select venue_id, source_market_id
  from market_quote_history
)
select venue_id, source_market_id
from named
where venue_id in (select unnest($venue_ids))
order by venue_id, source_market_id;
