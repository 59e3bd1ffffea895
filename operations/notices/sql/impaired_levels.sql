-- Runs of impaired levels of each index, by their first publication since an instant.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  one row a run: its first and last tick, and the first good level after it; by index and time
-- rule     a level of an older tick than one published before is a backfill and no news; corrections change no run
with forward as (
  select
    index_id,
    tick_at,
    observation_id,
    quality_state,
    reason_codes[1] as reason,
    quality_state in ({{IMPAIRED_STATES}}) as is_impaired
  from index_observation_history
  where revision = 1
    and published_at >= $since::timestamptz
  qualify tick_at > coalesce(
    max(tick_at) over (
      partition by index_id
      order by published_at, row_ordinal
      rows between unbounded preceding and 1 preceding
    ),
    timestamptz '1700-01-01 00:00:00Z'
  )
),
counted as (
  select
    *,
    count_if(not is_impaired) over (
      partition by index_id
      order by tick_at
      rows between unbounded preceding and current row
    ) as good_before,
    first_value(if(is_impaired, null, tick_at) ignore nulls) over following as next_good_at,
    first_value(if(is_impaired, null, observation_id) ignore nulls) over following as next_good_id
  from forward
  window following as (
    partition by index_id
    order by tick_at
    rows between 1 following and unbounded following
  )
)
select
  index_id as subject_id,
  arg_min(observation_id, tick_at) as first_id,
  arg_min(quality_state, tick_at) as first_state,
  arg_min(reason, tick_at) as first_reason,
  min(tick_at) as starts_at,
  max(tick_at) as last_at,
  any_value(next_good_id) as end_id,
  any_value(next_good_at) as ended_at
from counted
where is_impaired
group by index_id, good_before
order by index_id, starts_at;
