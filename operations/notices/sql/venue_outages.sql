-- Runs of health reports of each venue in which nothing arrived, published since an instant.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  one row a run: its first and last report, and the first report after it in which data arrived; by venue and time
with reports as (
  select
    venue_id,
    health_id,
    state,
    problem,
    source_at,
    state = 'down' as is_down
  from ingest_health_history
  where published_at >= $since::timestamptz
),
counted as (
  select
    *,
    count_if(not is_down) over (
      partition by venue_id
      order by source_at, health_id
      rows between unbounded preceding and current row
    ) as good_before,
    first_value(if(is_down, null, source_at) ignore nulls) over following as next_good_at,
    first_value(if(is_down, null, health_id) ignore nulls) over following as next_good_id
  from reports
  window following as (
    partition by venue_id
    order by source_at, health_id
    rows between 1 following and unbounded following
  )
)
select
  venue_id as subject_id,
  arg_min(health_id, source_at) as first_id,
  'down' as first_state,
  null as first_reason,
  min(source_at) as starts_at,
  max(source_at) as last_at,
  any_value(next_good_id) as end_id,
  any_value(next_good_at) as ended_at
from counted
where is_down
group by venue_id, good_before
order by venue_id, starts_at;
