-- Runs of health reports of each venue in which nothing arrived, published between two instants, continued from what was known at the
-- first.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
--          $seed_...  VARCHAR[]  the last report of each venue by then, and the first one of a run that lasted
-- returns  one row a run: its first and last report, and the first report after it in which data arrived; one of the last report if
--          it is good; by venue and time
with reports as (
  select venue_id, health_id, state, source_at
  from ingest_health_history
  where published_at > $after::timestamptz
    and published_at <= $through::timestamptz
  union all
  select
    unnest($seed_subject_ids) as venue_id,
    unnest($seed_ids) as health_id,
    unnest($seed_states) as state,
    unnest($seed_instants)::timestamptz as source_at
),
counted as (
  select
    *,
    state = 'down' as is_down,
    count_if(state <> 'down') over (
      partition by venue_id
      order by source_at, health_id
      rows between unbounded preceding and current row
    ) as good_before,
    first_value(if(state = 'down', null, source_at) ignore nulls) over following as next_good_at,
    first_value(if(state = 'down', null, health_id) ignore nulls) over following as next_good_id,
    row_number() over (partition by venue_id order by source_at desc, health_id desc) = 1 as is_last
  from reports
  window following as (
    partition by venue_id
    order by source_at, health_id
    rows between 1 following and unbounded following
  )
)
select
  venue_id as subject_id,
  is_down as is_impaired,
  arg_min(health_id, (source_at, health_id)) as first_id,
  'down' as first_state,
  null as first_reason,
  min(source_at) as starts_at,
  max(source_at) as last_at,
  arg_max(health_id, (source_at, health_id)) as last_id,
  arg_max(state, (source_at, health_id)) as last_state,
  any_value(next_good_id) as end_id,
  any_value(next_good_at) as ended_at
from counted
where is_down or is_last
group by venue_id, is_down, good_before
order by venue_id, starts_at;
