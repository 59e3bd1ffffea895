-- Every visible record of one market's ratings, whatever its state.
--
-- params   $market_id  VARCHAR
-- returns  ascending by (effective_from, published_at, rating_id), the interface's order
select * from market_rating_history where market_id = $market_id order by effective_from, published_at, rating_id;
