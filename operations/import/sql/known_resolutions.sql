-- Stored revisions of resolutions that an archive may repeat.
--
-- params   $venue_ids  list of VARCHAR
--          $from, $to  VARCHAR, source instants, both inclusive
-- returns  one row a stored revision, any order
select
  resolution_id, revision, venue_id, source_series_id, market_id, finality, payouts, source_at, received_at
from market_resolution_history
where venue_id in (select unnest($venue_ids))
  and source_at >= $from::timestamptz
  and source_at <= $to::timestamptz;
