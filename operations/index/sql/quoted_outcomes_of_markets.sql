-- Outcomes of some markets that have a stored quote.
--
-- params   $market_ids  VARCHAR[]   mkt_...
-- returns  one row an outcome, ascending
-- rule     every revision counts: a market of an archive without a record is known once one of its quotes is
select distinct market_id, outcome_id
from market_quote_history
where market_id in (select unnest($market_ids))
order by market_id, outcome_id;
