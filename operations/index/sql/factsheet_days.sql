-- Last priced level of each day of an index.
--
-- params   $index_id  VARCHAR
-- returns  one row a UTC day that has a level, in order
select
  date_trunc('day', tick_at) as day,
  max(tick_at) as tick_at,
  arg_max(level, tick_at) as level,
  arg_max(quality_state, tick_at) as quality_state
from index_observation
where index_id = $index_id
  and level is not null
group by all
order by day;
