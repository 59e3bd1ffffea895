-- Outcomes of stored markets, as a definition may name them.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  market_id, outcomes (outcome_id and label), source_outcome_ids
select market_id, outcomes, venue_mapping.source_outcome_ids as source_outcome_ids
from market
where market_id in (select unnest($market_ids))
order by market_id;
