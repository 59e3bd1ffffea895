-- Runs of impaired levels of each index, by their first publication between two instants, continued from what was known at the first.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
--          $seed_...  VARCHAR[]  the last level of each index by then, and the first one of a run that lasted
-- returns  one row a run: its first and last tick, and the first good level after it; one of the last level if it is good; by index
--          and time. The publications are of its first level, and of the good one or of the end of the index
-- rule     a level of an older tick than one published before is a backfill and no news; corrections change no run
with seed as (
  select
    unnest($seed_subject_ids) as index_id,
    unnest($seed_instants)::timestamptz as tick_at,
    unnest($seed_ids) as observation_id,
    unnest($seed_states) as quality_state,
    nullif(unnest($seed_reasons), '') as reason,
    unnest($seed_published)::timestamptz as published_at
),
archived as (
  select index_id, min(published_at) as published_at
  from index_definition__visible
  where status = 'archived'
  group by index_id
),
last_known as (
  select index_id, max(tick_at) as last_at from seed group by index_id
),
published as (
  select
    index_id,
    tick_at,
    observation_id,
    quality_state,
    reason_codes[1] as reason,
    published_at,
    max(tick_at) over (
      partition by index_id
      order by published_at, row_ordinal
      rows between unbounded preceding and 1 preceding
    ) as greatest_before
  from index_observation_history
  where revision = 1
    and published_at > $after::timestamptz
    and published_at <= $through::timestamptz
),
forward as (
  select p.index_id, p.tick_at, p.observation_id, p.quality_state, p.reason, p.published_at
  from published as p
  left join last_known as k on k.index_id = p.index_id
  where p.tick_at > coalesce(greatest(p.greatest_before, k.last_at), timestamptz '1700-01-01 00:00:00Z')
  union all
  select index_id, tick_at, observation_id, quality_state, reason, published_at from seed
),
labelled as (
  select *, quality_state in ({{IMPAIRED_STATES}}) as is_impaired from forward
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
    first_value(if(is_impaired, null, observation_id) ignore nulls) over following as next_good_id,
    first_value(if(is_impaired, null, published_at) ignore nulls) over following as next_good_published_at,
    max(tick_at) over (partition by index_id) = tick_at as is_last
  from labelled
  window following as (
    partition by index_id
    order by tick_at
    rows between 1 following and unbounded following
  )
)
select
  c.index_id as subject_id,
  is_impaired,
  arg_min(observation_id, tick_at) as first_id,
  arg_min(quality_state, tick_at) as first_state,
  arg_min(reason, tick_at) as first_reason,
  min(tick_at) as starts_at,
  max(tick_at) as last_at,
  arg_max(observation_id, tick_at) as last_id,
  arg_max(quality_state, tick_at) as last_state,
  any_value(next_good_id) as end_id,
  any_value(next_good_at) as ended_at,
  arg_min(c.published_at, tick_at) as first_published_at,
  coalesce(any_value(next_good_published_at), any_value(a.published_at)) as over_published_at
from counted as c
left join archived as a on a.index_id = c.index_id
where is_impaired or is_last
group by c.index_id, is_impaired, good_before
order by c.index_id, starts_at;
