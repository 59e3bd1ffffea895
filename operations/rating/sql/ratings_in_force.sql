-- The rating in force of every market that has one, with the market's title.
--
-- returns  the best band first; NR last, and inside a band the higher score first
select r.*, m.title
from market_rating as r
left join market__current as m using (market_id)
order by r.band, r.score desc nulls last, r.market_id;
