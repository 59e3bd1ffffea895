-- Every visible resolution record of some markets.
--
-- params   $market_ids  VARCHAR[]   mkt_...
--          $publication_until TIMESTAMPTZ   until then a row counts from its publication on, afterwards from its receipt
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
  greatest(received_at, least(published_at, $publication_until::timestamptz)) as known_at
from market_resolution_history
where market_id in (select unnest($market_ids))
order by market_id, source_series_id, source_at, received_at, revision;
