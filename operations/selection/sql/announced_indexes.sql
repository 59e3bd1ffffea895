-- Indexes with an announced composition.
--
-- returns  in the order of index_id
select distinct index_id
from index_pro_forma
order by index_id;
