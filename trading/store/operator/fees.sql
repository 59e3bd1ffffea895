-- Versions of fee schedules, and the markets that each is in force for, for operators.
-- returns: schedule_id, schedule_version, taker_rate, maker_rate, effective_from, market_ids (json list)
SELECT schedule_id, schedule_version, taker_rate, maker_rate, at AS effective_from,
       (SELECT coalesce(json_agg(market_id ORDER BY market_id), '[]')
          FROM trading.market
         WHERE market.schedule_id = fee_schedule.schedule_id
           AND market.schedule_version = fee_schedule.schedule_version) AS market_ids
  FROM trading.fee_schedule
 ORDER BY schedule_id, schedule_version
