-- Ratings whose validity ends, in their newest revision, if it counts.
--
-- returns  one row a rating, in no order
with newest as (
  select *
  from market_rating_history
  qualify row_number() over (partition by chain_id order by revision desc, published_at desc, row_ordinal desc) = 1
)
select rating_id, market_id, band, effective_to, published_at
from newest
where review_state in ({{IN_FORCE_STATES}})
  and effective_to is not null;
