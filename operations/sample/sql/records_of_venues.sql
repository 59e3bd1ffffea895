-- Numbers of stored records of each venue.
--
-- params   none
-- returns  one row a venue: payloads kept, and current records of markets, quotes, books, trades and resolutions
select
  venue_id,
  count(*) filter (source = 'payload') as payloads,
  count(*) filter (source = 'market') as markets,
  count(*) filter (source = 'quote') as quotes,
  count(*) filter (source = 'book') as books,
  count(*) filter (source = 'trade') as trades,
  count(*) filter (source = 'resolution') as resolutions
from (
  select venue_id, 'payload' as source from venue_payload
  union all select venue_mapping.venue_id, 'market' from market
  union all select venue_id, 'quote' from market_quote
  union all select venue_id, 'book' from order_book
  union all select venue_id, 'trade' from public_trade
  union all select venue_id, 'resolution' from market_resolution
)
group by venue_id
order by venue_id;
