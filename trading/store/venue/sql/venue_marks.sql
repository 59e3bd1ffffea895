-- Marks sent to the engine, of markets that have not ended.
--
-- returns  market_id, outcome_id, mark as a whole number at scale 8 (null: none), mark_observation_id
SELECT o.market_id, o.outcome_id, o.mark, o.mark_observation_id
FROM trading.market_outcome o
JOIN trading.market m USING (market_id)
WHERE m.status NOT IN ({{ENDED_STATUSES}})
ORDER BY o.market_id, o.place;
