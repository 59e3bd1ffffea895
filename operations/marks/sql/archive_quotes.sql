-- Quote records of some markets that ticks of a range are the first to admit, without those that no tick can distinguish.
--
-- template  {{counted}}  archive_counted.sql: relation of quote records with tick_us, the tick that is the first to admit them
-- params    $from_us, $to_us  BIGINT  ticks in [$from_us, $to_us)
-- returns   rows grouped by (market_id, outcome_id, source_series_id), inside a group ascending by
--           (source_at, received_at, revision): the order in which methodology §3 ranks them
-- rule      of rows that the same tick is the first to admit only the newest one is ever the newest admitted one (4.1)
select
  market_id,
  outcome_id,
  series as source_series_id,
  record_id,
  revision,
  source_at,
  received_at,
  known_at,
  confirmed_at,
  source_sequence,
  bid,
  ask,
  bid_depth,
  ask_depth,
  last_trade,
  last_trade_at,
  reported_probability
from ({{counted}})
where tick_us >= $from_us::BIGINT
  and tick_us < $to_us::BIGINT
qualify row_number() over (
  partition by market_id, outcome_id, series, tick_us
  order by source_at desc, received_at desc, revision desc
) = 1
order by market_id, outcome_id, source_series_id, source_at, received_at, revision
