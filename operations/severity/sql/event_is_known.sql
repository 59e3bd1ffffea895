-- Tests for a visible event, alert of it, or assessment of any type.
--
-- params   $event_id  VARCHAR
-- returns  a row where one is
select 1 as known from event__current where event_id = $event_id
union all
select 1 as known from hazard_alert where event_id = $event_id
union all
select 1 as known from severity_assessment_history where event_id = $event_id
limit 1;
