-- One record per value that a published mark gives, in the form of records_of_market_quote.sql.
--
-- template  {{rows}}  relation of market_mark rows
-- returns   observation_id = mark_id || '.' || field; field is mark or midpoint; tick_at beside it, which candles of marks
--           are made by
-- rule      a missing value is no record, never a zero; a mark is derived where a rule computed it (mark-derivation.ts); rows
--           without midpoint_observation_ids name those of the mark where it is of the same quote
-- exact     the value is the text of the stored decimal, so each field keeps its own scale
select
  mark_id || '.' || field as observation_id,
  revision,
  supersedes_id || '.' || field as supersedes_id,
  -- Releases before named the reason of the mark; a midpoint is of quotes alone.
  if(field = 'midpoint' and correction_reason = 'RESOLUTION_CORRECTED', 'LATE_DATA', correction_reason) as correction_reason,
  market_id,
  outcome_id,
  field,
  value,
  null::varchar as raw_value,
  venue_id,
  source_series_id,
  source_market_id,
  if(field = 'mark', source_observation_ids, midpoint_ids) as source_observation_ids,
  field = 'midpoint' or mark_derivation_rule is not null as derived,
  if(field = 'mark', mark_derivation_rule, 'midpoint of bid and ask') as derivation_rule,
  quality_state,
  source_at,
  received_at,
  tick_at,
  confirmed_at,
  calculated_at,
  published_at,
  epoch_ms(published_at) as published_at_ts_ms,
  methodology_id,
  methodology_version,
  null::bigint as source_sequence,
  row_ordinal
from (
  select
    *,
    unnest(['mark', 'midpoint']) as field,
    unnest([mark::varchar, midpoint::varchar]) as value,
    coalesce(derivation_rule, if(coalesce(origin_rule, mark_rule) in ({{COMPUTED_MARK_RULES}}), coalesce(origin_rule, mark_rule), null))
      as mark_derivation_rule,
    coalesce(
      midpoint_observation_ids,
      if(mark_rule in ({{COMPUTED_MARK_RULES}}), source_observation_ids[:2], []::varchar[])
    ) as midpoint_ids
  from {{rows}}
)
where value is not null
