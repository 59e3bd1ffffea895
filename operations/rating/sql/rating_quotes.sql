-- Spreads and sidedness of every market's quotes over a window, weighted by the time each quote was current.
--
-- params   $from, $cutoff  TIMESTAMPTZ   half-open [from, cutoff); a quote counts that was received at or before the cutoff
--          $stand_ms       BIGINT        a quote stands until the next one, and so long at most
-- returns  one row a market: two_sided_ms and crossed_ms of valid and crossed books, spread_ms the sum of spread x time of the
--          valid ones (price x ms), days with a quote, first_at and last_at, latency_p95_ms of receipt after the source
-- exact    spread (19,9) x ms (19,0) = (38,9), where DECIMAL(18) would overflow; a quote that another revision of its instant follows stands 0 ms
with quotes as (
  select
    market_id, source_at, received_at, bid, ask,
    least($stand_ms, epoch_ms(lead(source_at, 1, $cutoff::timestamptz) over (
      partition by market_id, outcome_id, source_series_id order by source_at, received_at, revision
    )) - epoch_ms(source_at)) as stood_ms
  from market_quote_history
  where source_at >= $from::timestamptz and source_at < $cutoff::timestamptz and received_at <= $cutoff::timestamptz
)
select
  market_id,
  coalesce(sum(stood_ms) filter (bid < ask), 0)::bigint as two_sided_ms,
  coalesce(sum(stood_ms) filter (bid >= ask), 0)::bigint as crossed_ms,
  sum((ask - bid)::decimal(19, 9) * stood_ms::decimal(19, 0)) filter (bid < ask) as spread_ms,
  count(distinct source_at::date)::bigint as days,
  min(source_at) as first_at,
  max(source_at) as last_at,
  quantile_disc(greatest(epoch_ms(received_at) - epoch_ms(source_at), 0), 0.95)::bigint as latency_p95_ms
from quotes
group by market_id;
