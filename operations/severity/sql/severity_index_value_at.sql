-- The value of a severity index at a cutoff.
--
-- params   $severity_index_id  VARCHAR
--          $cutoff             TIMESTAMPTZ
-- returns  at most one row
select value_id
from severity_index_value
where severity_index_id = $severity_index_id and source_cutoff_at = $cutoff::timestamptz;
