-- Stored revisions of the sizes of markets in an archive.
--
-- params   $market_ids, $source_ats  VARCHAR: market ids, and source instants in microseconds, separated by blanks; values at
--                                    the same index are a pair
-- returns  one row a stored revision, any order
with asked as (
  select
    unnest(string_split($market_ids, ' ')) as market_id,
    make_timestamptz(unnest(string_split($source_ats, ' '))::bigint) as source_at
)
select
  metric_id, revision, venue_id, source_market_id, volume_24h, open_interest, liquidity_notional, source_at, received_at
from market_metric_history
semi join asked using (market_id, source_at);
