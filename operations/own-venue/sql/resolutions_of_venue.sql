-- Every statement of one venue about how its markets end, in the order of receipt.
--
-- params   $venue_id  VARCHAR
-- returns  all revisions
select resolution_id, revision, market_id, payouts, finality, source_at
from market_resolution_history
where venue_id = $venue_id
order by received_at, revision;
