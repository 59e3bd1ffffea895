-- Instant until which an index was published under the recorded clock.
--
-- params   $index_id     VARCHAR     idx_...
--          $version_ids  VARCHAR[]   versions of the index
--          $graces       VARCHAR[]   admission.grace of each, in microseconds
-- returns  one row: recorded_until, just after the publication of the last such level; null where the first level was published by the
--          wall clock
-- rule     a level of the recorded clock was published exactly at its tick + grace; such levels come before those of the wall clock
with version as (
  select unnest($version_ids) as index_version_id, unnest($graces)::bigint as grace
),
first_record as (
  select o.published_at, o.published_at = o.tick_at + to_microseconds(v.grace) as is_recorded
  from index_observation_history as o
  join version as v using (index_version_id)
  where o.index_id = $index_id and o.revision = 1
),
by_wall as (
  select min(published_at) as begins_at from first_record where not is_recorded
)
select max(published_at) + to_microseconds(1) as recorded_until
from first_record, by_wall
where is_recorded and (begins_at is null or published_at < begins_at);
