-- All acts on schedules, in the order of their publication.
--
-- returns  rows of schedule_act with published_at
select schedule_id, act, actor, reason, range_from, range_to, source_at, published_at
from schedule_act_history
order by published_at, row_ordinal;
