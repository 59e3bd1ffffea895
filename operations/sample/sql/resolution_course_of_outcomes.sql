-- Statements of venues about the payouts of some outcomes, in sequence.
--
-- params   $market_ids   VARCHAR[]   mkt_...
--          $outcome_ids  VARCHAR[]   out_...
-- returns  one row a statement, in the order of publication; payout is that of the outcome asked about, null where the
--          statement names none
-- rule     a record that only confirms the one before is skipped
select
  venue_id,
  source_market_id,
  finality,
  list_filter(payouts, lambda p: list_contains($outcome_ids, p.outcome_id))[1].payout as payout,
  source_at,
  published_at
from market_resolution_history
where list_contains($market_ids, market_id)
  and correction_reason is distinct from 'CONFIRMED'
  and confirms_id is null
order by published_at, row_ordinal, resolution_id;
