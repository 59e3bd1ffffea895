-- Every visible status and schedule of some markets.
--
-- params   $market_ids  VARCHAR[]   mkt_...
--          $from_publication BOOLEAN   true: a row counts from its publication on, not from its receipt
-- returns  all revisions; status null where the source gives none
select
  market_id,
  revision,
  status,
  schedule,
  source_at,
  received_at,
  if($from_publication, greatest(received_at, published_at), received_at) as known_at
from market_history
where market_id in (select unnest($market_ids))
order by market_id, source_at, received_at, revision;
