-- The last current mark of each outcome and series of some markets before a tick.
--
-- params   $market_ids  VARCHAR[]    mkt_...
--          $before      TIMESTAMPTZ  tick_at < $before
-- returns  one row an outcome and series
select *
from market_mark
where market_id in (select unnest($market_ids))
  and tick_at < $before::timestamptz
qualify row_number() over (partition by outcome_id, source_series_id order by tick_at desc) = 1;
