-- Last sign of each of some markets that its prices still hold, and whether a record could give it a mark without one.
--
-- params   $market_ids  VARCHAR[]    mkt_...
--          $at          TIMESTAMPTZ  records about a later time are left out
-- returns  one row a market with a quote, a resolution or a halt: last_sign_at null without a quote; is_final true: it is
--          resolved or halted, so that it has a mark without new quotes (methodology §4)
with quoted as (
  select market_id, max(greatest(source_at, coalesce(confirmed_at, source_at))) as last_sign_at
  from market_quote_history
  where market_id in (select unnest($market_ids)) and source_at <= $at::timestamptz
  group by market_id
),
final as (
  select market_id from market_resolution_history
  where market_id in (select unnest($market_ids)) and source_at <= $at::timestamptz
  union
  select market_id from market_history
  where market_id in (select unnest($market_ids)) and source_at <= $at::timestamptz
    and status in ({{HALTED_STATUSES}})
)
select
  coalesce(quoted.market_id, final.market_id) as market_id,
  quoted.last_sign_at,
  final.market_id is not null as is_final
from quoted full join final on final.market_id = quoted.market_id
order by 1;
