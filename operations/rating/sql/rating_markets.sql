-- Markets to rate at a cutoff: their newest state received by then, with their resolution rules.
--
-- params   $from, $cutoff  TIMESTAMPTZ   the window; a state counts that was received at or before the cutoff
-- returns  one row a market that is not decided; rules_versions: how many different rules were received in the window;
--          series: what its disputes are counted in; settlement_asset_id null where the venue states none
with states as (
  select
    market_id, event_id, revision, status, rules, received_at, trading_parameters, venue_mapping,
    row_number() over (partition by market_id order by received_at desc, revision desc) as newest
  from market_history
  where received_at <= $cutoff::timestamptz
),
versions as (
  select market_id, count(distinct rules::varchar) as rules_versions
  from states
  where received_at >= $from::timestamptz or newest = 1
  group by market_id
),
series as (
  select event_id, source_mappings[1].source_series_id as series
  from event_history
  where received_at <= $cutoff::timestamptz
  qualify row_number() over (partition by event_id order by received_at desc, revision desc) = 1
)
select
  s.market_id,
  s.revision as market_revision,
  s.received_at as market_received_at,
  s.venue_mapping.venue_id as venue_id,
  s.trading_parameters.settlement_asset_id as settlement_asset_id,
  s.rules,
  v.rules_versions,
  coalesce(e.series, s.event_id) as series
from states as s
join versions as v using (market_id)
left join series as e using (event_id)
where s.newest = 1
  and coalesce(s.status, 'open') not in ({{ENDED_STATUSES}})
order by s.market_id;
