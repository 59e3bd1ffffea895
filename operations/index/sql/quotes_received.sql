-- Quote records of some markets that ticks of a time range are the first to see, by the time of their receipt.
--
-- template {{counted_from}}  counted_from.sql
-- params   $market_ids     VARCHAR[]    mkt_...
--          $after, $through TIMESTAMPTZ  source_at in ($after, $through], and what was about the time before but came late
--          $late_after, $late_through TIMESTAMPTZ  the same and the longest grace: when a late row is first seen
--          and those of counted_from.sql
-- returns  rows grouped by (market_id, outcome_id, source_series_id), inside a group ascending by
--          (source_at, received_at, revision): the order in which methodology §3 ranks them
-- cost     two conditions on one column each, so that row groups are left out by their bounds
with seen_first as (
  select * from market_quote_history
  where source_at > $after::timestamptz and source_at <= $through::timestamptz
  union all
  select * from market_quote_history
  where received_at > $late_after::timestamptz and received_at <= $late_through::timestamptz
    and source_at <= $after::timestamptz
)
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
from seen_first
where market_id in (select unnest($market_ids))
order by market_id, outcome_id, source_series_id, source_at, received_at, revision;
