-- One record per trade, in the form of records_of_market_quote.sql.
--
-- template  {{rows}}      relation of public_trade rows
--           {{is_trade}}  condition on trades (warehouse/read/is-trade.ts)
--           {{price}}     price of a trade, or its complement on the tape of the other outcome
-- returns   observation_id = trade_id || '.last_trade', source_at of the trade itself, and its quantity beside the price
-- rule      a void has the correction_reason TRADE_VOIDED; a quote that repeats the last trade makes no record
select
  trade_id || '.last_trade' as observation_id,
  revision,
  supersedes_id || '.last_trade' as supersedes_id,
  if(correction_kind = 'void', 'TRADE_VOIDED', correction_reason) as correction_reason,
  market_id,
  outcome_id,
  'last_trade' as field,
  {{price}} as value,
  null::varchar as raw_value,
  venue_id,
  source_series_id,
  source_market_id,
  []::varchar[] as source_observation_ids,
  false as derived,
  null::varchar as derivation_rule,
  if(supersedes_id is null, 'valid', 'corrected') as quality_state,
  source_at,
  received_at,
  null::timestamptz as confirmed_at,
  null::timestamptz as calculated_at,
  published_at,
  epoch_ms(published_at) as published_at_ts_ms,
  null::varchar as methodology_id,
  null::varchar as methodology_version,
  source_sequence,
  quantity,
  row_ordinal
from {{rows}}
where {{is_trade}}
