-- Availability of each venue's ingest over a window, and its outages in a year.
--
-- params   $from, $year, $cutoff  TIMESTAMPTZ   the window [from, cutoff) and the year [year, cutoff)
-- returns  one row a venue: first_at of all its records, known_ms and down_ms of the window, gaps and records counted in it,
--          incidents: times it went down in the year
-- rule     a state holds until the next record; time before the first one is unknown
with states as (
  select
    venue_id, source_at, state, gaps, records_new,
    lag(state) over (partition by venue_id order by source_at, published_at) as before,
    lag(gaps) over (partition by venue_id order by source_at, published_at) as gaps_before,
    lag(records_new) over (partition by venue_id order by source_at, published_at) as records_before,
    lead(source_at, 1, $cutoff::timestamptz) over (partition by venue_id order by source_at, published_at) as until,
    min(source_at) over (partition by venue_id) as first_at
  from ingest_health_history
  where source_at < $cutoff::timestamptz
),
held as (
  select *, greatest(epoch_ms(until) - epoch_ms(greatest(source_at, $from::timestamptz)), 0) as held_ms
  from states
)
select
  venue_id,
  min(first_at) as first_at,
  sum(held_ms)::bigint as known_ms,
  coalesce(sum(held_ms) filter (state = 'down'), 0)::bigint as down_ms,
  coalesce(sum(greatest(gaps - coalesce(gaps_before, 0), 0)) filter (source_at >= $from::timestamptz), 0)::bigint as gaps,
  coalesce(sum(greatest(records_new - coalesce(records_before, 0), 0)) filter (source_at >= $from::timestamptz), 0)::bigint
    as records,
  count(*) filter (state = 'down' and before is distinct from 'down' and source_at >= $year::timestamptz)::bigint as incidents
from held
group by venue_id;
