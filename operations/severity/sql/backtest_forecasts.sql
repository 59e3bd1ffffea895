-- Forecasts that were approved, each once, by the end of their horizon.
--
-- params   $from, $to  TIMESTAMPTZ   half-open [from, to) of the horizon's end
-- returns  one row a forecast: the first approved revision of its chain, oldest first
select assessment_id, event_id, published_at, forecast_horizon_end, scenarios
from severity_assessment_history
where assessment_type = 'forecast'
  and review_state = 'approved'
  and "override" is null
  and forecast_horizon_end >= $from::timestamptz
  and forecast_horizon_end < $to::timestamptz
qualify row_number() over (partition by chain_id order by revision) = 1
order by published_at, assessment_id;
