-- Versions of indexes with the eligibility policy that judges their constituents: that of their selection, or the terms of the sources.
--
-- returns  one row a version, by index and publication
select
  index_id,
  index_version_id,
  effective_from,
  published_at,
  coalesce(json_extract_string(definition, '$.selection.eligibility_policy.policy_id'), 'pol_source_terms') as policy_id,
  coalesce(json_extract_string(definition, '$.selection.eligibility_policy.version')::integer, 1) as policy_version,
  list_transform(
    constituents, lambda c: struct_pack(constituent_id := c.constituent_id, market_id := c.market_id)
  ) as members
from index_version_history
order by index_id, published_at, effective_from;
