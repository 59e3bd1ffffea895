-- Books of some outcomes as they stood at some ticks, as far as the session shows them.
--
-- params   $outcome_ids  VARCHAR[]   out_...
--          $tick_ats     VARCHAR[]   instants
-- returns  at most one row an outcome and tick
-- rule     methodology robustness-1 §1: of the books with source_at <= tick the greatest (source_at, received_at, revision)
with books as (
  select *
  from order_book_history
  where outcome_id in (select unnest($outcome_ids))
  qualify row_number() over (
    partition by outcome_id, source_at
    order by received_at desc, revision desc, published_at desc, row_ordinal desc
  ) = 1
),
wanted as (
  select outcome_id, tick_at::timestamptz as at
  from (select unnest($outcome_ids) as outcome_id) cross join (select unnest($tick_ats) as tick_at)
)
select wanted.at as tick_at, books.outcome_id, books.price_unit, books.bids, books.asks
from wanted
asof join books on wanted.outcome_id = books.outcome_id and wanted.at >= books.source_at
order by tick_at, books.outcome_id;
