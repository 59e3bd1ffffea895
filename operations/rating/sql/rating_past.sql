-- Earlier ratings of every market by the program, as known at an instant.
--
-- params   $day, $back   VARCHAR       the UTC day before the cutoff's, and the day 30 days before it
--          $today        VARCHAR       the cutoff's UTC day
-- returns  one row a market: band and score of the last one, rated_band of the last one since $back that was not NR, day_band and
--          day_score of the day before, score_back of 30 days before, has_today: a rating of the cutoff's own day is there
with model as (
  select
    market_id, rating_id, band, day_band, score, observation_cutoff_at,
    strftime(observation_cutoff_at, '%Y-%m-%d') as day
  from market_rating_history
  where issuer.kind = 'model' and "override" is null and revision = 1 and review_state = 'approved' and day_band is not null
    and strftime(observation_cutoff_at, '%Y-%m-%d') <= $today
)
select
  market_id,
  arg_max(band, observation_cutoff_at) filter (day < $today) as band,
  arg_max(band, observation_cutoff_at) filter (day < $today and day >= $back and band <> 'NR') as rated_band,
  arg_max(score, observation_cutoff_at) filter (day < $today) as score,
  any_value(day_band) filter (day = $day) as day_band,
  any_value(score) filter (day = $day) as day_score,
  any_value(score) filter (day = $back) as score_back,
  bool_or(day = $today) as has_today
from model
group by market_id;
