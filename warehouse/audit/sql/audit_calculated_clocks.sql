-- Index observations whose three clocks are out of order.
--
-- template  {{rows}}  every revision of index_observation
-- returns   rule, id, detail; no row when every clock is right
-- rule      source_cutoff_at <= calculated_at <= published_at (under the recorded clock they may be equal)
select 'CLOCK_CALCULATED' as rule, observation_id as id,
  'source_cutoff_at ' || coalesce(source_cutoff_at::varchar, 'null') || ', calculated_at '
    || coalesce(calculated_at::varchar, 'null') || ', published_at ' || published_at::varchar as detail
from {{rows}}
where source_cutoff_at > calculated_at or calculated_at > published_at or source_cutoff_at > published_at
