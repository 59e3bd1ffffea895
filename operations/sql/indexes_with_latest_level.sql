-- Every index with the name of its active version and its latest level.
--
-- returns  one row an index; latest is null where nothing is published
-- rule     latest level at T = the row of current(T) with the greatest tick_at (methodology §14), not the last published
with latest as (
  select
    index_id,
    {
      observation_id: observation_id,
      revision: revision,
      tick_at: tick_at,
      source_cutoff_at: source_cutoff_at,
      level: level,
      quality_state: quality_state,
      coverage_ratio: coverage_ratio,
      confidence: confidence,
      published_at: published_at
    } as latest
  from index_observation
  qualify row_number() over (partition by index_id order by tick_at desc) = 1
)
select
  d.index_id,
  d.symbol,
  d.name,
  d.status,
  d.unit,
  v.version as active_version,
  l.latest
from index_definition as d
left join index_version as v on v.index_version_id = d.active_version_id
left join latest as l on l.index_id = d.index_id
order by d.index_id;
