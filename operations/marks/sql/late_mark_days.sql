-- Days of markets on which a mark was made of a record that was received after the mark's tick: a backfill published them.
--
-- params   $market_ids  VARCHAR[]  mkt_...
--          $grace_us    BIGINT     grace of the admission
-- returns  key, "market_id day_us", each once
-- rule     a mark whose source is of an earlier day carries it on; its own day is not late by that
select distinct market_id || ' ' || (epoch_us(tick_at) - epoch_us(tick_at) % 86400000000)::varchar as key
from market_mark
where market_id in (select unnest($market_ids))
  and epoch_us(received_at) > epoch_us(tick_at) + $grace_us::BIGINT
  and epoch_us(source_at) >= epoch_us(tick_at) - epoch_us(tick_at) % 86400000000;
