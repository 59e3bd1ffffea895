-- Title, outcomes, status and rating in force of the markets that the legs of a version read.
--
-- params   $market_ids  VARCHAR, ids with commas between them
-- returns  one row a market
select
  m.market_id as market_id,
  m.title as title,
  m.outcomes as outcomes,
  m.status as market_status,
  r.band as band
from market as m
left join market_rating as r on r.market_id = m.market_id
where list_contains(string_split($market_ids, ','), m.market_id)
order by m.market_id;
