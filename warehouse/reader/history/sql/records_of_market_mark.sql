-- One record per value that a published mark gives, in the form of records_of_market_quote.sql.
--
-- template  {{rows}}  relation of market_mark rows
-- returns   observation_id = mark_id || '.' || field; field is mark or midpoint; both are derived from observations;
--           tick_at beside it, which candles of marks are made by
-- rule      a missing value is no record, never a zero
-- exact     the value is the text of the stored decimal, so each field keeps its own scale
select
  mark_id || '.' || field as observation_id,
  revision,
  supersedes_id || '.' || field as supersedes_id,
  correction_reason,
  market_id,
  outcome_id,
  field,
  value,
  null::varchar as raw_value,
  venue_id,
  source_series_id,
  source_market_id,
  source_observation_ids,
  true as derived,
  if(field = 'mark', coalesce(derivation_rule, mark_rule), 'midpoint of bid and ask') as derivation_rule,
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
  select *, unnest(['mark', 'midpoint']) as field, unnest([mark::varchar, midpoint::varchar]) as value
  from {{rows}}
)
where value is not null
