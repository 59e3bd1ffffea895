-- Markets whose trading ended in a range: the rating in force, as known, a while before the end, and what happened with each.
--
-- template {{in_force}}  query of the ratings in force of the relation heads, with market_id, rating_id, kind, band and score
-- params   $from, $to    TIMESTAMPTZ   half-open [from, to) of the end
--          $lead_us      BIGINT        how long before the end the rating is looked at
-- returns  one row a market: ends_at (when it was to close; where nobody said, when something was first said of its outcome),
--          known_until (its venue told nothing later; a market that ends after it has not ended for all we know),
--          observed_at = ends_at - lead; disputed_at, final_at (first of each), no_winner (the last final outcome names none) and
--          voided; rating_id, kind, band and score that were in force, null where none was known
-- rule     published_at <= observed_at: nothing of a rating is from after the instant
-- test     test/operations/rating/backtest-ratings.test.ts holds this and pipelines/review/current-assessment.ts together
with resolutions as (
  select
    market_id,
    any_value(venue_id) as venue_id,
    min(source_at) as first_at,
    min(source_at) filter (finality = 'disputed') as disputed_at,
    min(coalesce(resolved_at, source_at)) filter (finality = 'final') as final_at,
    arg_max(len(coalesce(winning_outcome_ids, [])) = 0, (source_at, received_at)) filter (finality = 'final') as no_winner
  from market_resolution_history
  group by market_id
),
markets as (
  select
    market_id,
    arg_max(title, (received_at, revision)) as title,
    arg_max(venue_mapping.venue_id, (received_at, revision)) as venue_id,
    arg_max(schedule.closes_at, (received_at, revision)) as closes_at,
    bool_or(status = 'voided') as voided
  from market_history
  group by market_id
),
-- Last record of a venue: nothing later is known.
horizons as (
  select venue_id, max(received_at) as known_until
  from (
    select venue_mapping.venue_id as venue_id, received_at from market_history
    union all
    select venue_id, received_at from market_resolution_history
  )
  group by venue_id
),
dated as (
  select
    market_id,
    m.title,
    coalesce(m.venue_id, r.venue_id) as venue_id,
    m.closes_at,
    coalesce(m.closes_at, r.first_at) as ends_at,
    coalesce(m.closes_at, r.first_at) - to_microseconds($lead_us::bigint) as observed_at,
    r.disputed_at,
    r.final_at,
    r.no_winner,
    coalesce(m.voided, false) as voided
  from markets as m
  full join resolutions as r using (market_id)
),
ended as (
  select d.*, h.known_until
  from dated as d
  join horizons as h using (venue_id)
  where d.ends_at >= $from::timestamptz and d.ends_at < $to::timestamptz and d.ends_at <= h.known_until
),
heads as (
  select g.*, e.observed_at
  from market_rating_history as g
  join ended as e using (market_id)
  where g.published_at <= e.observed_at
  qualify row_number() over (partition by g.chain_id order by g.revision desc) = 1
),
in_force as (
  {{in_force}}
)
select e.*, f.rating_id, f.kind, f.band, f.score
from ended as e
left join in_force as f using (market_id)
order by e.ends_at, e.market_id;
