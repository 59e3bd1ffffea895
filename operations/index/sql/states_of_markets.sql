-- Every visible status and schedule of some markets.
--
-- template {{counted_from}}  counted_from.sql
-- params   $market_ids  VARCHAR[]   mkt_...
--          and those of counted_from.sql
-- returns  all revisions; status null where the source gives none
select
  market_id,
  revision,
  status,
  schedule,
  source_at,
  received_at,
  {{counted_from}} as known_at
from market_history
where market_id in (select unnest($market_ids))
order by market_id, source_at, received_at, revision;
