-- Ids of every market known at the session's instant.
--
-- returns  in the order of market_id
select market_id
from market
order by market_id;
