-- The newest quote of each outcome of one venue.
--
-- params   $venue_id  VARCHAR
-- returns  one row an outcome: the one of the greatest (source_at, received_at, revision)
select
  record_id,
  revision,
  market_id,
  outcome_id,
  bid,
  ask,
  bid_depth,
  ask_depth,
  last_trade,
  last_trade_at,
  source_sequence,
  source_at,
  confirmed_at,
  derived,
  derived_from_id
from market_quote_history
where venue_id = $venue_id
qualify row_number() over (partition by outcome_id order by source_at desc, received_at desc, revision desc) = 1;
