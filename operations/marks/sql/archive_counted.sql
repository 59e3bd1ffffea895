-- Quote records of some markets with the instant from which they count, and the tick that is the first to admit them.
--
-- params   $market_ids        VARCHAR[]  mkt_...
--          $starts_us         BIGINT[]   the first tick of each market; what counts before it counts at it
--          $grace_us          BIGINT     grace of the admission
--          $step_us           BIGINT     ticks are its multiples
--          $from_publication  BOOLEAN    true: every row counts from its publication on
--          $late_days         VARCHAR[]  "market_id day_us": days of a market whose rows count from their source instant
--          $live_within_us    BIGINT     a row published within this time of its receipt was published live
-- returns  every revision
-- rule     a row published live counts from its publication, as it did for the live feed; one of an archive from its receipt
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
        when $from_publication then greatest(q.received_at, q.published_at)
        when q.market_id || ' ' || (epoch_us(q.source_at) - epoch_us(q.source_at) % 86400000000)::varchar
          in (select unnest($late_days::VARCHAR[])) then q.source_at
        when epoch_us(q.published_at) - epoch_us(q.received_at) <= $live_within_us::BIGINT
          then greatest(q.received_at, q.published_at)
        else q.received_at
      end as known_at
    from market_quote_history as q
    join (select unnest($market_ids::VARCHAR[]) as market_id, unnest($starts_us::BIGINT[]) as start_us) as asked
      on asked.market_id = q.market_id
  )
)
