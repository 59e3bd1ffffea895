-- Resolutions of markets in the year before a cutoff.
--
-- params   $year, $cutoff  TIMESTAMPTZ   half-open [year, cutoff); a resolution counts that was received at or before the cutoff
-- returns  one row a market with a resolution: venue_id, series, was_disputed, was_final, delay_ms from the market's close to its
--          first final resolution (null where either is unknown)
with resolutions as (
  select
    market_id,
    any_value(venue_id) as venue_id,
    bool_or(finality = 'disputed') as was_disputed,
    bool_or(finality = 'final') as was_final,
    min(coalesce(resolved_at, source_at)) filter (finality = 'final') as final_at
  from market_resolution_history
  where source_at >= $year::timestamptz and source_at < $cutoff::timestamptz and received_at <= $cutoff::timestamptz
  group by market_id
),
markets as (
  select market_id, event_id, schedule.closes_at as closes_at
  from market_history
  where received_at <= $cutoff::timestamptz
  qualify row_number() over (partition by market_id order by received_at desc, revision desc) = 1
),
series as (
  select event_id, source_mappings[1].source_series_id as series
  from event_history
  where received_at <= $cutoff::timestamptz
  qualify row_number() over (partition by event_id order by received_at desc, revision desc) = 1
)
select
  r.market_id,
  r.venue_id,
  coalesce(s.series, m.event_id) as series,
  r.was_disputed,
  r.was_final,
  case when r.final_at >= m.closes_at then epoch_ms(r.final_at) - epoch_ms(m.closes_at) end as delay_ms
from resolutions as r
left join markets as m using (market_id)
left join series as s using (event_id);
