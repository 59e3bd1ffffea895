-- Marks of outcomes at given instants.
-- params: $1 outcome ids, $2 an instant of each.
-- returns: a row for each in their order: mark, mark_observation_id; mark null: there was none
SELECT k.mark, k.mark_observation_id
FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS asked (outcome_id, at, place)
JOIN trading.market_outcome o USING (outcome_id)
LEFT JOIN LATERAL (
  SELECT mark, mark_observation_id FROM trading.outcome_mark
  WHERE outcome_id = asked.outcome_id AND at <= asked.at
  ORDER BY at DESC LIMIT 1
) k ON true
ORDER BY asked.place
