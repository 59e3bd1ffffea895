-- Versions of indexes with their intervals and the time of day of their fixings.
--
-- returns  one row a version, in no order; fixing_at is null for a version without a fixing
select
  index_version_id,
  index_id,
  version,
  effective_from,
  effective_to,
  calculation_frequency,
  json_extract_string(definition, '$.fixing.at') as fixing_at,
  published_at
from index_version;
