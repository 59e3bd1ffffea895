-- Quote records published in a time range, without those that no upcoming tick can distinguish.
--
-- params   $after, $through   TIMESTAMPTZ  published_at in ($after, $through]
--          $market_ids        VARCHAR[]    mkt_...; empty: every market
--          $whole_market_ids  VARCHAR[]    markets with every row: fixings read all of them
--          $graces_us         VARCHAR[]    the graces by which ticks admit, in microseconds
--          $step_us           BIGINT       every upcoming tick is a multiple of it; 0: every row
--          $first_us          BIGINT       no upcoming tick is before this instant
-- returns  rows grouped by (market_id, outcome_id, source_series_id), inside a group ascending by
--          (source_at, received_at, revision): the order in which methodology §3 ranks them
-- rule     a row counts from its publication on. Of rows that the same tick is the first to admit, under each of the graces,
--          only the newest one is ever the newest admitted one (4.1), so the others are left out
with published as (
  select
    *,
    coalesce(source_series_id, '') as series,
    greatest(received_at, published_at) as known_at,
    list_transform(
      $graces_us::BIGINT[],
      lambda g: greatest(epoch_us(source_at), epoch_us(greatest(received_at, published_at)) - g, $first_us::BIGINT)
    ) as admitted_us
  from market_quote_history
  where published_at > $after::timestamptz
    and published_at <= $through::timestamptz
    and (len($market_ids) = 0 or market_id in (select unnest($market_ids)))
)
select
  market_id,
  outcome_id,
  series as source_series_id,
  venue_id,
  source_market_id,
  record_id,
  revision,
  source_at,
  received_at,
  known_at,
  confirmed_at,
  source_sequence,
  bid,
  ask,
  bid_depth,
  ask_depth,
  last_trade,
  last_trade_at,
  reported_probability
from published
qualify $step_us::BIGINT = 0
  or market_id in (select unnest($whole_market_ids))
  or row_number() over (
    partition by
      market_id,
      outcome_id,
      series,
      list_transform(
        admitted_us,
        lambda us: us + ($step_us::BIGINT - us % nullif($step_us::BIGINT, 0)) % nullif($step_us::BIGINT, 0)
      )
    order by published.source_at desc, published.received_at desc, published.revision desc
  ) = 1
order by market_id, outcome_id, source_series_id, source_at, received_at, revision;
