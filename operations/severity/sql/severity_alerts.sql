-- Last content of each alert by a cutoff.
--
-- params   $cutoff  TIMESTAMPTZ   an alert counts that was received at or before it
-- returns  one row an event: the alert's columns
select *
from hazard_alert_history
where received_at <= $cutoff::timestamptz
qualify row_number() over (partition by event_id order by received_at desc, revision desc) = 1
order by event_id;
