-- Levels that late restatements name, beside the published ones.
--
-- returns  one row a named level, in no order; observation_id null: it is not published
select
  n.proposal_id,
  n.c.tick_at as tick_at,
  o.observation_id,
  o.level
from (select proposal_id, unnest(changes) as c from index_restatement) as n
left join index_observation_history as o on o.observation_id = n.c.observation_id;
