-- The last tick of the marks of some markets.
--
-- params   $market_ids  VARCHAR[]  mkt_...
-- returns  one row; last_tick null without any mark
select max(tick_at) as last_tick
from market_mark
where market_id in (select unnest($market_ids));
