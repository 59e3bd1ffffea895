-- Revisions of levels of one index, each beside the level that it supersedes.
--
-- params   $index_id  VARCHAR  idx_...
-- returns  in no order
select
  r.observation_id,
  r.index_version_id,
  r.supersedes_id,
  r.tick_at,
  r.published_at,
  r.quality_state,
  p.level as old_level,
  r.level as new_level
from index_observation_history as r
join index_observation_history as p on p.observation_id = r.supersedes_id
where r.revision > 1
  and r.index_id = $index_id;
