-- Index versions whose weights do not add up.
--
-- template  {{rows}}  every row of index_version
-- returns   rule, id, detail; no row when every version is right
-- rule      the target weights sum to weight_sum, exactly
with weighed as (
  select index_version_id, weight_sum, unnest(constituents).target_weight as target_weight
  from {{rows}}
)
select 'WEIGHT_SUM' as rule, index_version_id as id,
  'target weights sum to ' || sum(target_weight) || ', weight_sum is ' || any_value(weight_sum) as detail
from weighed
group by index_version_id
having sum(target_weight) is distinct from any_value(weight_sum)
