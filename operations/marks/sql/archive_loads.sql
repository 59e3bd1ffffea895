-- How many quote records ticks are the first to admit, ten minutes after ten minutes.
--
-- template  {{counted}}  archive_counted.sql
-- params    $to_us  BIGINT  ticks before it
-- returns   from_us, the begin of the ten minutes; ascending
select
  tick_us - tick_us % 600000000 as from_us,
  count(*) as records
from ({{counted}})
where tick_us < $to_us::BIGINT
group by from_us
order by from_us
