-- Levels that were restated with another value since an instant.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  each restated level beside the one that it supersedes, by index, commit, reason and tick; proposal_id is of a late
--          restatement, which may also give a tick its first level: that supersedes none
with approved as (
  select r.proposal_id, r.correction_reason, c.observation_id
  from index_restatement_history as r, unnest(r.changes) as t (c)
)
select
  r.index_id,
  r.tick_at,
  r.observation_id,
  coalesce(r.correction_reason, a.correction_reason) as correction_reason,
  r.published_at,
  a.proposal_id,
  p.level as old_level,
  r.level as new_level
from index_observation_history as r
left join index_observation_history as p on p.observation_id = r.supersedes_id
left join approved as a on a.observation_id = r.observation_id
where (r.revision > 1 and p.observation_id is not null or a.proposal_id is not null)
  and r.published_at >= $since::timestamptz
  and r.level is distinct from p.level
order by r.index_id, r.published_at, 4, r.tick_at;
