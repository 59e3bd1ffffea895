-- Every severity index with its newest value.
--
-- returns  one row an index, by id; the value's columns are null where there is none
select d.severity_index_id, d.name, d.description, d.status, d.unit, v.value, v.level_equivalent, v.coverage_ratio,
  v.quality_state, v.source_cutoff_at, v.published_at
from severity_index_definition as d
left join (
  select *
  from severity_index_value
  qualify row_number() over (partition by severity_index_id order by source_cutoff_at desc) = 1
) as v using (severity_index_id)
order by d.severity_index_id;
