-- The rating of one market that is in force at the session's instant.
--
-- params   $market_id  VARCHAR
-- returns  at most one row
select * from market_rating where market_id = $market_id;
