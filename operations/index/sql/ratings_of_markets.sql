-- Rating in force of each of some markets.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  at most one row a market
select *
from market_rating
where market_id in (select unnest($market_ids))
order by market_id;
