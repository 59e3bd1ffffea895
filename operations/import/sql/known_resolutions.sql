-- Stored revisions of resolutions of the markets in an archive.
--
-- params   $ids  list of VARCHAR, market ids
-- returns  one row a stored revision, any order
select
  resolution_id, revision, venue_id, source_series_id, market_id, finality, payouts, source_at, received_at
from market_resolution_history
where market_id in (select unnest($ids));
