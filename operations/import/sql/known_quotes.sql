-- Stored revisions of the quotes in an archive, which decide duplicates, conflicts and the next revision.
--
-- params   $outcome_ids, $source_ats  VARCHAR: outcome ids, and source instants in microseconds, separated by blanks; values
--                                     at the same index are a pair
-- returns  one row a stored revision, any order
-- rule     every visible revision counts, not only the current one: a late row takes the next number of its chain
with asked as (
  select
    unnest(string_split($outcome_ids, ' ')) as outcome_id,
    make_timestamptz(unnest(string_split($source_ats, ' '))::bigint) as source_at
)
select
  record_id, revision, venue_id, source_series_id, outcome_id, source_at, received_at,
  coalesce(is_final, false) as is_final, raw_value, reported_probability,
  bid, ask, bid_depth, ask_depth, last_trade, last_trade_at
from market_quote_history
semi join asked using (outcome_id, source_at);
