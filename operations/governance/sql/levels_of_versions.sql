-- Levels, in every revision, of some versions.
--
-- params   $version_ids  VARCHAR[]  idv_...
-- returns  in no order
select observation_id, index_version_id, tick_at, published_at
from index_observation_history
where index_version_id in (select unnest($version_ids));
