-- Pauses of ingest and of publication that began at or after an instant.
--
-- params   $since  TIMESTAMPTZ  instant of the act that began the pause, inclusive
--          $publication, $ingest  VARCHAR  id of the schedule that publishes; beginning of the ids of those that ingest
-- returns  one row a pause: the act that began it and the one that ended it, null if it lasts; by schedule and time
-- rule     a further act on a paused schedule joins its pause
with acts as (
  select
    *,
    lag(act) over (
      partition by schedule_id
      order by published_at, row_ordinal
    ) as act_before
  from schedule_act_history
  where act <> 'made_up'
    and (schedule_id = $publication or starts_with(schedule_id, $ingest))
),
turns as (
  select
    *,
    lead(act_id) over following as end_id,
    lead(published_at) over following as ended_at
  from acts
  where act is distinct from coalesce(act_before, 'resumed')
  window following as (
    partition by schedule_id
    order by published_at, row_ordinal
  )
)
select
  schedule_id as subject_id,
  act_id as first_id,
  'paused' as first_state,
  null as first_reason, -- the reason is for operators; notices are public
  published_at as starts_at,
  published_at as last_at,
  end_id,
  ended_at
from turns
where act = 'paused' and published_at >= $since::timestamptz
order by schedule_id, starts_at;
