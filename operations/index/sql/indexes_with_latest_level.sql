-- Every index with the name of its active version and its latest level.
--
-- returns  one row an index; latest is null where nothing is published; calculation_frequency and parameters are those of the
--          version and methodology of the latest level
-- rule     latest level at T = the row of current(T) with the greatest tick_at (methodology §14), not the last published
with latest as (
  select
    index_id,
    index_version_id,
    methodology_id,
    methodology_version,
    {
      observation_id: observation_id,
      revision: revision,
      tick_at: tick_at,
      source_cutoff_at: source_cutoff_at,
      level: level,
      quality_state: quality_state,
      underlying_quality_state: underlying_quality_state,
      reason_codes: reason_codes,
      correction_reason: correction_reason,
      missing_constituent_ids: missing_constituent_ids,
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
  l.latest,
  of_level.calculation_frequency,
  m.parameters
from index_definition as d
left join index_version as v on v.index_version_id = d.active_version_id
left join latest as l on l.index_id = d.index_id
left join index_version as of_level on of_level.index_version_id = l.index_version_id
left join methodology as m on m.methodology_id = l.methodology_id and m.version = l.methodology_version
order by d.index_id;
