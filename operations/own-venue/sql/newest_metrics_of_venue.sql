-- The newest sizes of each market of one venue.
--
-- params   $venue_id  VARCHAR
-- returns  one row a market
select market_id, volume_24h, open_interest, liquidity_notional
from market_metric
where venue_id = $venue_id
qualify row_number() over (partition by market_id order by source_at desc, received_at desc, revision desc) = 1;
