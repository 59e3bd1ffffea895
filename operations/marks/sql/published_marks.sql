-- The current marks of some markets at the ticks of a range.
--
-- params   $market_ids   VARCHAR[]    mkt_...
--          $from, $to    TIMESTAMPTZ  tick_at in [$from, $to)
-- returns  one row an outcome, series and tick
select *
from market_mark
where market_id in (select unnest($market_ids))
  and tick_at >= $from::timestamptz
  and tick_at < $to::timestamptz
order by tick_at;
