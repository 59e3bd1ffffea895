-- Final payouts that were corrected, with the record each superseded: what an as_of comparison is shown on.
--
-- params   none
-- returns  one row a correction, oldest first: the market, its day, and when either payout became known
-- rule     a correction is the next revision of its chain and names the record that it supersedes
select
  corrected.market_id, corrected.venue_id, corrected.source_series_id, corrected.source_market_id, corrected.source_at,
  first.published_at as first_published_at, corrected.published_at as corrected_published_at
from market_resolution_history as corrected
join market_resolution_history as first on first.resolution_id = corrected.supersedes_id
where corrected.finality = 'final' and first.finality = 'final'
order by corrected.published_at, corrected.resolution_id;
