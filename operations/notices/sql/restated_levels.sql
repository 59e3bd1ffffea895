-- Levels that were restated with another value since an instant.
--
-- params   $since  TIMESTAMPTZ  first instant of publication
-- returns  each restated level beside the one that it supersedes, by index, commit, reason and tick
select
  r.index_id,
  r.tick_at,
  r.observation_id,
  r.correction_reason,
  r.published_at,
  p.level as old_level,
  r.level as new_level
from index_observation_history as r
join index_observation_history as p on p.observation_id = r.supersedes_id
where r.revision > 1
  and r.published_at >= $since::timestamptz
  and r.level is distinct from p.level
order by r.index_id, r.published_at, r.correction_reason, r.tick_at;
