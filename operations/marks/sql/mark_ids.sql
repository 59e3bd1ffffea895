-- Ids of the marks published for ticks from an instant on.
--
-- params   $from  VARCHAR  RFC 3339 instant, inclusive
-- returns  mark_id of every revision
select mark_id
from market_mark_history
where tick_at >= $from::timestamptz;
