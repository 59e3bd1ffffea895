-- Values of one severity index.
--
-- params   $severity_index_id  VARCHAR
-- returns  the newest first, without their inputs
select * exclude (inputs)
from severity_index_value
where severity_index_id = $severity_index_id
order by source_cutoff_at desc;
