-- Indexes whose versions proposals decide, with the publication of the first one that took effect.
--
-- returns  one row an index
select target as index_id, min(published_at) as since
from governance_proposal_history
where state = 'effective'
  and starts_with(target, 'idx_')
  and not contains(target, ':')
group by target
order by target;
