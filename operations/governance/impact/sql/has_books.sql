-- Whether any book of some outcomes is stored.
--
-- params   $outcome_ids  VARCHAR[]   out_...
-- returns  one row, or none
select 1 as is_stored
from order_book_history
where outcome_id in (select unnest($outcome_ids))
limit 1;
