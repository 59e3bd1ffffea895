-- The newest book of each outcome of one venue whose books are numbered.
--
-- params   $venue_id  VARCHAR
-- returns  one row an outcome: the one of the greatest source_sequence
select market_id, outcome_id, bids, asks, bid_derived_quantities, ask_derived_quantities, source_sequence, source_at
from order_book_history
where venue_id = $venue_id
qualify row_number() over (partition by outcome_id order by source_sequence desc) = 1;
