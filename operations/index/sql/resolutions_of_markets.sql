-- Every visible resolution record of some markets.
--
-- template {{counted_from}}  counted_from.sql
-- params   $market_ids  VARCHAR[]   mkt_...
--          and those of counted_from.sql
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
  {{counted_from}} as known_at
from market_resolution_history
where market_id in (select unnest($market_ids))
order by market_id, source_series_id, source_at, received_at, revision;
