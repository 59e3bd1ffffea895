-- Published link factors of one index (methodology §10).
--
-- params   $index_id  VARCHAR   idx_...
-- returns  the current record of each version's link
select *
from index_link
where index_id = $index_id
order by link_at;
