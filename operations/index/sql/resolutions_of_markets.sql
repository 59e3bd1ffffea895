-- Every visible resolution record of some markets.
--
-- params   $market_ids  VARCHAR[]   mkt_...
--          $from_publication BOOLEAN   true: a row counts from its publication on, not from its receipt
-- returns  all revisions, payouts and evidence nested
select
  resolution_id,
  revision,
  market_id,
  coalesce(source_series_id, '') as source_series_id,
  payouts,
  evidence,
  finality,
  source_at,
  received_at,
  if($from_publication, greatest(received_at, published_at), received_at) as known_at
from market_resolution_history
where market_id in (select unnest($market_ids))
order by market_id, source_series_id, source_at, received_at, revision;
