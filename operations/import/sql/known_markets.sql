-- Stored revisions of markets that an archive may describe again.
--
-- params   $ids  list of VARCHAR, market ids
-- returns  one row a stored revision, any order
select
  market_id, revision, received_at,
  event_id, slug, title, status, outcome_type, outcomes, rules, schedule, venue_mapping, trading_parameters
from market_history
where market_id in (select unnest($ids));
