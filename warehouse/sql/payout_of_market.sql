-- The final value of one market about one day, as a session's as_of knows it.
--
-- params   $market_id  VARCHAR
--          $source_series_id  VARCHAR
--          $source_at  VARCHAR, the day's instant
-- returns  0 or 1 row: value, revision, published_at
select value, revision, published_at
from market_observation
where market_id = $market_id
  and source_series_id = $source_series_id
  and source_at = $source_at::timestamptz
  and is_final
order by revision desc
limit 1;
