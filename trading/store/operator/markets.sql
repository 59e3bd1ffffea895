-- Listed markets with their outcomes, for operators.
-- params: $1 market_id, null: every one
-- returns: market_id, event_id, status, listed, schedule_id, schedule_version, created_at, updated_at,
--          outcomes (json list of outcome_id, label)
SELECT market_id, event_id, status, listed, schedule_id, schedule_version, created_at, updated_at,
       (SELECT json_agg(json_build_object('outcome_id', outcome_id, 'label', label) ORDER BY place)
          FROM trading.market_outcome WHERE market_outcome.market_id = market.market_id) AS outcomes
  FROM trading.market
 WHERE $1::text IS NULL OR market_id = $1
 ORDER BY market_id
