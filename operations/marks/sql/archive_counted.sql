-- Quote records of some markets with the instant from which they count, and the tick that is the first to admit them.
--
-- template {{counted_from}}  counted_from.sql of operations/index
-- params   $market_ids        VARCHAR[]  mkt_...
--          $starts_us         BIGINT[]   the first tick of each market; what counts before it counts at it
--          $grace_us          BIGINT     grace of the admission
--          $step_us           BIGINT     ticks are its multiples
--          $late_days         VARCHAR[]  "market_id day_us": days of a market whose rows count from their source instant
--          and those of counted_from.sql
-- returns  every revision
select
  *,
  admitted_us + ($step_us::BIGINT - admitted_us % $step_us::BIGINT) % $step_us::BIGINT as tick_us
from (
  select
    *,
    greatest(epoch_us(source_at), epoch_us(known_at) - $grace_us::BIGINT, start_us) as admitted_us
  from (
    select
      q.*,
      asked.start_us,
      coalesce(q.source_series_id, '') as series,
      case
        when q.market_id || ' ' || (epoch_us(q.source_at) - epoch_us(q.source_at) % 86400000000)::varchar
          in (select unnest($late_days::VARCHAR[])) then q.source_at
        else {{counted_from}}
      end as known_at
    from market_quote_history as q
    join (select unnest($market_ids::VARCHAR[]) as market_id, unnest($starts_us::BIGINT[]) as start_us) as asked
      on asked.market_id = q.market_id
  )
)
