-- Versions of fee schedules, by schedule and version.
--
-- params   $1 schedule_id, or null; $2 market_id, or null: only the version that its new orders are accepted under
--          $3 schedule_id and $4 schedule_version of the last one before the page, or null   $5 rows
-- returns  columns of fee_schedule, superseded_at, market_count
SELECT f.*, next.at AS superseded_at,
       (SELECT count(*)::integer FROM trading.market m
        WHERE m.schedule_id = f.schedule_id AND m.schedule_version = f.schedule_version) AS market_count
FROM trading.fee_schedule f
LEFT JOIN trading.fee_schedule AS next
       ON next.schedule_id = f.schedule_id AND next.schedule_version = f.schedule_version + 1
WHERE ($1::text IS NULL OR f.schedule_id = $1)
  AND ($2::text IS NULL OR EXISTS (
    SELECT FROM trading.market m
    WHERE m.market_id = $2 AND m.schedule_id = f.schedule_id AND m.schedule_version = f.schedule_version))
  AND ($3::text IS NULL OR (f.schedule_id, f.schedule_version) > ($3, $4::integer))
ORDER BY f.schedule_id, f.schedule_version
LIMIT $5
