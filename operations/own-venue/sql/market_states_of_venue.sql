-- Current states of the markets of one venue.
--
-- params   $venue_id  VARCHAR
-- returns  market_id, revision, status, outcomes
select market_id, revision, status, outcomes
from market__current
where venue_mapping.venue_id = $venue_id
order by market_id;
