-- Newest version, up to an instant, of the fee schedule that a market is under.
-- params: $1 market_id, $2 the instant, inclusive.
-- returns: columns of fee_schedule; no row: the schedule began later
SELECT f.*
FROM trading.market m
JOIN trading.fee_schedule f ON f.schedule_id = m.schedule_id AND f.schedule_version <= m.schedule_version
WHERE m.market_id = $1 AND f.at <= $2
ORDER BY f.schedule_version DESC
LIMIT 1
