-- Tests for a published market, or a rating of it.
--
-- params   $market_id  VARCHAR
-- returns  a row where it was
select 1 as known from market__current where market_id = $market_id
union all
select 1 as known from market_rating_history where market_id = $market_id
limit 1;
