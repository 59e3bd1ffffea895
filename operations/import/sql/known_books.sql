-- Stored revisions of the order books in an archive.
--
-- params   $outcome_ids, $source_ats  VARCHAR, as in known_quotes.sql
-- returns  one row a stored revision, any order
with asked as (
  select
    unnest(string_split($outcome_ids, ' ')) as outcome_id,
    make_timestamptz(unnest(string_split($source_ats, ' '))::bigint) as source_at
)
select order_book_id, revision, venue_id, outcome_id, price_unit, bids, asks, source_at, received_at
from order_book_history
semi join asked using (outcome_id, source_at);
