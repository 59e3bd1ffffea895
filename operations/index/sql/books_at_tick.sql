-- Books of some outcomes as they were stored at a tick.
--
-- params   $outcome_ids  VARCHAR[]     out_...
--          $tick_at      TIMESTAMPTZ   a later book is none of the tick
--          $known_to     TIMESTAMPTZ   a book published later was not known
-- returns  at most one row an outcome
-- rule     methodology robustness-1 §1
select market_id, outcome_id, price_unit, bids, asks, source_at, published_at
from order_book_history
where outcome_id in (select unnest($outcome_ids))
  and source_at <= $tick_at::timestamptz
  and published_at <= $known_to::timestamptz
qualify row_number() over (
  partition by outcome_id
  order by source_at desc, received_at desc, revision desc, published_at desc, row_ordinal desc
) = 1
order by outcome_id;
