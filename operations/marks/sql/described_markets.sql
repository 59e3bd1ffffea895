-- The markets of some that are described.
--
-- params   $market_ids  VARCHAR[]  mkt_...
-- returns  market_id
select market_id
from market__current
where market_id in (select unnest($market_ids));
