-- One level of an index with its inputs: a named one, or the latest.
--
-- params   $index_id        VARCHAR   idx_...
--          $observation_id  VARCHAR   iob_...; null: the latest level
-- returns  0 or 1 row
-- rule     the latest level is the current one of the greatest tick_at (methodology §14)
select *
from index_observation_history
where index_id = $index_id
  and ($observation_id is null or observation_id = $observation_id)
order by tick_at desc, revision desc, published_at desc, row_ordinal desc
limit 1;
