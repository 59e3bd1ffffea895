-- Levels that were restated, published between two instants.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  each restated level with the id of the one that it supersedes, by index, commit, reason and tick
select
  index_id,
  tick_at,
  observation_id,
  supersedes_id,
  correction_reason,
  published_at,
  level as new_level
from index_observation_history
where revision > 1
  and published_at > $after::timestamptz
  and published_at <= $through::timestamptz
order by index_id, published_at, correction_reason, tick_at;
