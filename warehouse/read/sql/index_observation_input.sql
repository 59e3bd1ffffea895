-- Inputs of index observations, one row each, in the order of the calculation.
--
-- template  {{observations}}  index_observation or index_observation_history
-- returns   the observation's keys and clocks, the input's own columns, input_ordinal from 1
with input_of_observation as (
  select
    o.* exclude (inputs),
    unnest(o.inputs) as i,
    generate_subscripts(o.inputs, 1) as input_ordinal
  from {{observations}} as o
)
select
  observation_id,
  revision,
  index_id,
  index_version_id,
  tick_at,
  source_cutoff_at,
  input_ordinal,
  unnest(i),
  published_at,
  row_ordinal
from input_of_observation
