-- Every act of governance, recorded or refused.
--
-- returns  the latest first; code and message are of a refused act
select act_id, act, subject_id as proposal_id, actor_id, acted_at, published_at, null as code, null as message
from governance_act
union all
select refusal_id, act, record_id, actor_id, acted_at, published_at, code, message
from refused_act
where subject = 'governance'
order by published_at desc, act_id;
