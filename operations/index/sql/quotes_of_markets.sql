-- Every visible quote record of some markets, one outcome and series after another.
--
-- template {{counted_from}}  counted_from.sql
--          {{bounds}}        quotes_of_part.sql; true: all rows
-- params   $market_ids  VARCHAR[]   mkt_...
--          and those of counted_from.sql
-- returns  rows grouped by (market_id, outcome_id, source_series_id), inside a group ascending by
--          (source_at, received_at, revision): the order in which methodology §3 ranks them
-- rule     all revisions are returned: the admitted one depends on the cutoff
select
  market_id,
  outcome_id,
  coalesce(source_series_id, '') as source_series_id,
  record_id,
  revision,
  source_at,
  received_at,
  {{counted_from}} as known_at,
  confirmed_at,
  source_sequence,
  bid,
  ask,
  bid_depth,
  ask_depth,
  last_trade,
  last_trade_at,
  reported_probability
from market_quote_history
where market_id in (select unnest($market_ids))
  and {{bounds}}
order by market_id, outcome_id, source_series_id, source_at, received_at, revision;
