-- P3  Each protection of a market maker is frozen as its last event says, and counts its account's fills since then: those of
-- resting orders within its window.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     a fill forgets those that left the window by then; D11 compares the other fields
WITH newest AS (
  SELECT account_id, body ->> 'market_id' AS market_id, max(engine_sequence) AS engine_sequence
  FROM trading.engine_event
  WHERE kind = 'protection'
  GROUP BY account_id, body ->> 'market_id'
), told AS (
  SELECT newest.account_id, market_id, engine_sequence, (body ->> 'window_ms')::integer AS window_ms,
         (body ->> 'frozen_until')::bigint AS frozen_until, (body ->> 'triggered_at')::bigint AS triggered_at
  FROM newest JOIN trading.engine_event USING (engine_sequence)
), since AS (
  SELECT told.account_id, told.market_id, window_ms, (extract(epoch FROM fill.at) * 1000000)::bigint AS at, fill.quantity,
         max((extract(epoch FROM fill.at) * 1000000)::bigint) OVER (PARTITION BY told.account_id, told.market_id) AS last_at
  FROM told JOIN trading.fill ON fill.account_id = told.account_id AND fill.market_id = told.market_id
  WHERE fill.liquidity_role = 'maker' AND fill.engine_sequence > told.engine_sequence
), at_instant AS (
  SELECT account_id, market_id, at, count(*) AS count, sum(quantity) AS quantity
  FROM since
  WHERE at > last_at - window_ms * 1000::bigint
  GROUP BY account_id, market_id, at
), counted AS (
  SELECT account_id, market_id, string_agg(concat_ws(' ', at, count, quantity), ', ' ORDER BY at) AS fills
  FROM at_instant
  GROUP BY account_id, market_id
), stored AS (
  SELECT account_id, market_id, is_active, (extract(epoch FROM frozen_until) * 1000000)::bigint AS frozen_until,
         (extract(epoch FROM triggered_at) * 1000000)::bigint AS triggered_at,
         (SELECT string_agg(concat_ws(' ', one ->> 'at', one ->> 'count', one ->> 'quantity'), ', ' ORDER BY (one ->> 'at')::bigint)
          FROM json_array_elements(window_fills) AS one) AS fills
  FROM trading.market_maker_protection
)
SELECT concat_ws(' ', account_id, market_id) AS subject,
       concat_ws(' ', coalesce(stored.frozen_until::text, '-'), coalesce(stored.triggered_at::text, '-'), stored.fills) AS found,
       concat_ws(' ', coalesce(told.frozen_until::text, '-'), coalesce(told.triggered_at::text, '-'), counted.fills) AS expected
FROM stored
JOIN told USING (account_id, market_id)
LEFT JOIN counted USING (account_id, market_id)
WHERE (stored.frozen_until, stored.triggered_at) IS DISTINCT FROM (told.frozen_until, told.triggered_at)
   OR stored.fills IS DISTINCT FROM CASE WHEN is_active THEN counted.fills END;
