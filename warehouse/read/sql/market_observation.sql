-- Long view of market_quote: one row per field that the quote gives.
--
-- template  {{quotes}}  market_quote or market_quote_history
-- returns   observation_id = record_id || '.' || field; field is bid, ask, last_trade or reported_probability
-- rule      a missing field is no row, never a zero; the midpoint is computed from bid and ask, not stored.
--           In the history form a row with confirms_id is no revision: it confirms the named one.
--           The chain is the quote's: a later revision without a field withdraws that field's observation too.
with field_of_quote as (
  select
    q.* exclude (bid, ask, last_trade, reported_probability),
    unnest(['bid', 'ask', 'last_trade', 'reported_probability']) as field,
    unnest([q.bid, q.ask, q.last_trade, q.reported_probability]) as value
  from {{quotes}} as q
)
select
  record_id || '.' || field as observation_id,
  revision,
  supersedes_id || '.' || field as supersedes_id,
  correction_reason,
  venue_id,
  source_series_id,
  source_market_id,
  market_id,
  outcome_id,
  field,
  value,
  raw_value,
  source_at,
  received_at,
  confirmed_at,
  published_at,
  epoch_ms(published_at) as published_at_ts_ms,
  source_sequence,
  quality_state,
  is_final,
  record_id,
  row_ordinal,
  confirms_id || '.' || field as confirms_id
from field_of_quote
where value is not null
