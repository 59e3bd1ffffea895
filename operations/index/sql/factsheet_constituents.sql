-- Constituents of a version of an index, with the title of each market, the label of the outcome and its rating in force.
--
-- params   $index_version_id  VARCHAR
-- returns  one row a constituent, the heaviest first
with parts as (
  select unnest(constituents) as c, definition
  from index_version
  where index_version_id = $index_version_id
)
select
  p.c.constituent_id as constituent_id,
  p.c.market_id as market_id,
  p.c.target_weight as target_weight,
  p.c.weight_cap as weight_cap,
  p.c.normalization as normalization,
  list_filter(m.outcomes, lambda o: o.outcome_id = p.c.outcome_id)[1].label as outcome,
  p.c.market_mapping.venue_id as venue_id,
  m.title as title,
  m.status as market_status,
  r.band as band,
  p.definition as definition
from parts as p
left join market as m on m.market_id = p.c.market_id
left join market_rating as r on r.market_id = p.c.market_id
order by p.c.target_weight desc, p.c.constituent_id;
