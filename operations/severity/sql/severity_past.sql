-- Last assessment of every event by the program, and the last one that readers see.
--
-- params   $cutoff  TIMESTAMPTZ   assessments of cutoffs at or before it
-- returns  one row an event: news_hash of the program's last observed assessment, whatever its state; level and score of the
--          last one of these that is approved or disputed
with heads as (
  select *
  from severity_assessment_history
  where assessment_type = 'observed' and effective_from <= $cutoff::timestamptz
  qualify row_number() over (partition by chain_id order by revision desc) = 1
)
select
  event_id,
  arg_max(news_hash, (effective_from, published_at)) filter (news_hash is not null) as news_hash,
  arg_max(level, (effective_from, published_at)) filter (review_state in ({{IN_FORCE_STATES}})) as level,
  arg_max(score, (effective_from, published_at)) filter (review_state in ({{IN_FORCE_STATES}})) as score
from heads
group by event_id;
