-- Levels that were restated, published between two instants.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  each restated level with the id of the one that it supersedes, by index, commit, reason and tick; proposal_id is of a late
--          restatement, which may also give a tick its first level: that supersedes none; range_from and range_to are its bounds
-- rule     the record of a late restatement is published before its levels
with approved as (
  select r.proposal_id, r.correction_reason, r.starts_at, r.ends_at, c.observation_id
  from index_restatement_history as r, unnest(r.changes) as t (c)
)
select
  r.index_id,
  r.tick_at,
  r.observation_id,
  coalesce(r.correction_reason, a.correction_reason) as correction_reason,
  r.published_at,
  a.proposal_id,
  a.starts_at as range_from,
  a.ends_at as range_to,
  r.supersedes_id,
  r.level as new_level
from index_observation_history as r
left join approved as a on a.observation_id = r.observation_id
where (r.revision > 1 or a.proposal_id is not null)
  and r.published_at > $after::timestamptz
  and r.published_at <= $through::timestamptz
order by r.index_id, r.published_at, 4, r.tick_at;
