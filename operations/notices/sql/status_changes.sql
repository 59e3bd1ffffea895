-- Changes of the status of indexes published between two instants.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  each revision of a definition whose status differs from that of the revision before it, by index and revision
with statuses as (
  select
    index_id,
    revision,
    published_at,
    correction_reason,
    status as new_status,
    lag(status) over (partition by index_id order by revision, published_at, row_ordinal) as old_status
  from index_definition__visible
)
select index_id, revision, published_at, old_status, new_status, correction_reason
from statuses
where published_at > $after::timestamptz
  and published_at <= $through::timestamptz
  and old_status <> new_status
order by index_id, revision;
