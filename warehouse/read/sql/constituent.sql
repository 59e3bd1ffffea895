-- Constituents of index versions, one row each, in the order of the version.
--
-- template  {{versions}}  index_version or index_version_history
-- rule      weight_cap is the lower of the constituent's own cap and the version's single cap; least() skips nulls
-- returns   the constituent's own columns, market_mapping as a struct and its fields beside it, and the version's keys
with constituent_of_version as (
  select
    v.* exclude (constituents),
    unnest(v.constituents) as c,
    generate_subscripts(v.constituents, 1) as constituent_ordinal
  from {{versions}} as v
)
select
  c.constituent_id,
  index_version_id,
  index_id,
  version,
  c.market_id,
  c.outcome_id,
  c.target_weight,
  c.effective_weight_at_publication,
  least(c.weight_cap, (definition ->> '$.caps.single')::decimal(18, 10)) as weight_cap,
  c.normalization,
  c.eligibility_status,
  c.eligibility_reason_codes,
  c.rating_assessment_id_at_selection,
  c.market_mapping,
  c.market_mapping.mapping_id as mapping_id,
  c.market_mapping.venue_id as venue_id,
  c.market_mapping.source_event_id as source_event_id,
  c.market_mapping.source_series_id as source_series_id,
  c.market_mapping.source_market_id as source_market_id,
  c.market_mapping.source_outcome_id as source_outcome_id,
  c.market_mapping.valid_from as mapping_valid_from,
  c.market_mapping.valid_to as mapping_valid_to,
  effective_from,
  effective_to,
  constituent_ordinal,
  published_at,
  row_ordinal
from constituent_of_version
