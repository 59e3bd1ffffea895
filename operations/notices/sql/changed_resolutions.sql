-- Final resolutions of markets that were changed, published between two instants.
--
-- params   $after, $through  TIMESTAMPTZ  bounds of the publication: exclusive, inclusive
-- returns  each changed resolution beside the revision that it supersedes, in the order of publication
with payout_texts as (
  select
    resolution_id,
    market_id,
    venue_id,
    revision,
    supersedes_id,
    correction_reason,
    source_at,
    finality,
    published_at,
    row_ordinal,
    array_to_string(
      list_sort(list_transform(coalesce(payouts, []), lambda p: p.outcome_id || ' ' || p.payout::varchar)), ', '
    ) as payout_text
  from market_resolution_history
)
select
  r.resolution_id,
  r.market_id,
  r.venue_id,
  r.revision,
  r.correction_reason,
  r.source_at,
  p.payout_text as old_payouts,
  r.payout_text as new_payouts,
  p.finality as old_finality,
  r.finality as new_finality
from payout_texts as r
join payout_texts as p on p.resolution_id = r.supersedes_id
where r.revision > 1
  and r.published_at > $after::timestamptz
  and r.published_at <= $through::timestamptz
  and p.finality = 'final'
  and (r.payout_text <> p.payout_text or r.finality <> p.finality)
order by r.published_at, r.row_ordinal;
