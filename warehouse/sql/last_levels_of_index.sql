-- The latest levels of one index, newest first.
--
-- params   $index_id  VARCHAR
--          $count  INTEGER, how many
-- returns  up to $count rows of current levels
-- rule     the latest level is the one with the greatest tick_at, not the one published last (methodology 4.13)
select tick_at, level, quality_state, coverage_ratio, confidence, published_at
from index_observation
where index_id = $index_id
order by tick_at desc
limit $count;
