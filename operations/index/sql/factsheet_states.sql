-- Published levels of an index by quality state.
--
-- params   $index_id  VARCHAR
-- returns  one row a state: number of ticks, those that were restated, and the extremes of the level
select
  quality_state,
  count(*) as ticks,
  count_if(revision > 1) as restated,
  min(level) as lowest,
  max(level) as highest,
  min(tick_at) as first_tick_at,
  max(tick_at) as last_tick_at
from index_observation
where index_id = $index_id
group by quality_state
order by quality_state;
