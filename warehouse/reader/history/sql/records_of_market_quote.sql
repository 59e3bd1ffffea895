-- One record per value that a quote gives: the view market_observation, with the columns of derived records beside it.
--
-- template  {{rows}}  relation of market_quote rows
-- returns   observation_id = record_id || '.' || field; field is bid, ask, last_trade or reported_probability
-- rule      a missing value is no record, never a zero; a bid of a derived quote derives from the ask of the other outcome, and the
--           reverse
select
  record_id || '.' || field as observation_id,
  revision,
  supersedes_id || '.' || field as supersedes_id,
  correction_reason,
  market_id,
  outcome_id,
  field,
  value,
  raw_value,
  venue_id,
  source_series_id,
  source_market_id,
  if(is_derived, [derived_from_id || if(field = 'bid', '.ask', '.bid')], []::varchar[]) as source_observation_ids,
  is_derived as derived,
  if(is_derived, derivation_rule, null) as derivation_rule,
  coalesce(quality_state, 'valid') as quality_state,
  source_at,
  received_at,
  confirmed_at,
  null::timestamptz as calculated_at,
  published_at,
  epoch_ms(published_at) as published_at_ts_ms,
  null::varchar as methodology_id,
  null::varchar as methodology_version,
  source_sequence,
  row_ordinal
from (
  select *, coalesce(derived, false) and (field = 'bid' or field = 'ask') as is_derived
  from (
    select *,
      unnest(['bid', 'ask', 'last_trade', 'reported_probability']) as field,
      unnest([bid, ask, last_trade, reported_probability]) as value
    from {{rows}}
  )
)
where value is not null
