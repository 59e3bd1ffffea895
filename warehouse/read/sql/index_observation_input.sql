-- Inputs of index observations, one row each, in the order of the calculation.
--
-- template  {{observations}}  index_observation or index_observation_history
-- returns   the observation's keys and clocks, the input's own columns, input_ordinal from 1; the market and outcome of the marks used,
--           which the record has in its legs alone: its market_id is that of the constituent's own leg
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
  i.*,
  case when list_unique([leg.market_id for leg in i.legs]) = 1 then i.legs[1].market_id end as used_market_id,
  case when list_unique([leg.outcome_id for leg in i.legs]) = 1 then i.legs[1].outcome_id end as used_outcome_id,
  published_at,
  row_ordinal
from input_of_observation
