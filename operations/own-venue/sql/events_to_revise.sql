-- The current record of some events, and how many revisions each of them has.
--
-- params   $event_ids  VARCHAR[]  evt_...
-- returns  rows of event with revision_max
select e.*, max(e.revision) over (partition by e.event_id) as revision_max
from event_history as e
where e.event_id in (select unnest($event_ids))
qualify row_number() over (partition by e.event_id order by e.received_at desc, e.revision desc) = 1
order by e.event_id;
