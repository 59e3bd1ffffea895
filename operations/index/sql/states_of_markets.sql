-- Every visible status and schedule of some markets.
--
-- params   $market_ids  VARCHAR[]   mkt_...
--          $publication_until TIMESTAMPTZ   until then a row counts from its publication on, afterwards from its receipt
-- returns  all revisions; status null where the source gives none
select
  market_id,
  revision,
  status,
  schedule,
  source_at,
  received_at,
  greatest(received_at, least(published_at, $publication_until::timestamptz)) as known_at
from market_history
where market_id in (select unnest($market_ids))
order by market_id, source_at, received_at, revision;
