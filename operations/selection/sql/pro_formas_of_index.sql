-- Announced compositions of an index.
--
-- params   $index_id  VARCHAR   idx_...
-- returns  in the order in which they take effect
select *
from index_pro_forma
where index_id = $index_id
order by effective_from;
