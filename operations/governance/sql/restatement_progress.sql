-- Levels that a restatement names, and those of them that are published.
--
-- params   $proposal_id  VARCHAR  prp_...
-- returns  1 row; named is 0 if the restatement is not published
with named as (
  select unnest(changes).observation_id as observation_id
  from index_restatement
  where proposal_id = $proposal_id
)
select
  count(*)::integer as named,
  count(o.observation_id)::integer as published
from named as n
left join index_observation_history as o on o.observation_id = n.observation_id;
