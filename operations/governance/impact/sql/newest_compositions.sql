-- Newest version of every index that has not ended, with its constituents and its status.
--
-- returns  in the order of index_id
select v.index_id, v.version, v.constituents, d.status
from index_version as v join index_definition as d using (index_id)
where d.status <> 'archived'
qualify row_number() over (partition by v.index_id order by v.effective_from desc) = 1
order by v.index_id;
