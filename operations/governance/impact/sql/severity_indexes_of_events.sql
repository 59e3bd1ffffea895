-- Severity indexes whose newest version names one of some events.
--
-- params   $event_ids  VARCHAR[]   evt_...
-- returns  in the order of severity_index_id
with newest as (
  select severity_index_id, arg_max(definition, effective_from) as definition
  from severity_index_version
  group by severity_index_id
)
select severity_index_id
from newest
where list_has_any(json_extract_string(definition, '$.events.event_ids[*]'), $event_ids)
order by severity_index_id;
