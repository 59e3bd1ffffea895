-- Venues whose quotes are stored.
--
-- params   none
-- returns  one row a venue, ascending
-- rule     every revision counts: a venue of an archive is known once one of its quotes is
select distinct venue_id
from market_quote_history
order by venue_id;
