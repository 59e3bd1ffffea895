-- Venues with a new health report about an instant before one that was already known.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
--          $seed_...  VARCHAR[]  reports of each venue by then
-- returns  one row a venue
with known as (
  select venue_id, max((source_at, health_id)) as last_known
  from (
    select
      unnest($seed_subject_ids) as venue_id,
      unnest($seed_instants)::timestamptz as source_at,
      unnest($seed_ids) as health_id
  )
  group by venue_id
)
select distinct r.venue_id
from ingest_health_history as r
join known as k on k.venue_id = r.venue_id
where r.published_at > $after::timestamptz
  and r.published_at <= $through::timestamptz
  and (r.source_at, r.health_id) < k.last_known;
