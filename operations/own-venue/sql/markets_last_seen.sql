-- Last instants at which quotes of some markets were received.
--
-- params   $market_ids  VARCHAR[]  mkt_...
-- returns  market_id, seen_at; no row of a market without a quote
select market_id, max(greatest(source_at, received_at)) as seen_at
from market_quote_history
where market_id in (select unnest($market_ids))
group by market_id
order by market_id;
