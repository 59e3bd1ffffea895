-- O5  FOK fills completely or not at all, FAK never rests, post_only never takes, reduce_only only reduces, and no
-- account trades with itself.
--
-- returns  subject, found, expected: one row per violation; none if it holds
-- rule     in a complementary market the position is the exposure, Y - N, and without short sales every SELL only reduces; what was
--          filled before the market became complementary is counted by outcome; with two books an earlier version cut a reduce_only FOK
WITH ladder AS (
  SELECT outcome_id, coalesce((terms ->> 'complementary')::boolean AND NOT (terms ->> 'shorting_permitted')::boolean, false) AS sells_only,
         CASE WHEN (terms ->> 'complementary')::boolean THEN first_value(outcome_id) OVER of_market ELSE outcome_id END AS counted_as,
         coalesce((terms ->> 'complementary')::boolean AND row_number() OVER of_market > 1, false) AS is_mirrored
  FROM trading.market_outcome JOIN trading.market USING (market_id)
  WINDOW of_market AS (PARTITION BY market_id ORDER BY place)
)
SELECT order_id AS subject, time_in_force || ' ' || filled_quantity AS found, 'all or nothing' AS expected
FROM trading.orders
WHERE time_in_force = 'FOK' AND filled_quantity NOT IN (0, original_quantity)
  AND NOT (
    reduce_only
    AND accepted_sequence <= (SELECT engine_sequence FROM trading.rule_start WHERE rule = 'reduce_only_fok_is_whole')
    AND NOT EXISTS (SELECT FROM trading.fill WHERE fill.order_id = orders.order_id AND closed_quantity IS NOT NULL)
  )
  AND NOT EXISTS (
    SELECT FROM trading.adjustment JOIN trading.fill USING (fill_id) WHERE fill.order_id = orders.order_id
  )
UNION ALL
SELECT order_id, time_in_force || ' ' || status, 'an order that has ended'
FROM trading.orders
WHERE time_in_force IN ('FOK', 'FAK') AND status IN ({{WORKING_STATUSES}})
UNION ALL
SELECT fill_id, liquidity_role, 'maker'
FROM trading.fill JOIN trading.orders USING (order_id)
WHERE post_only AND liquidity_role <> 'maker'
UNION ALL
SELECT fill_id, 'net before it ' || net, 'a position that is reduced'
FROM (
  SELECT fill_id, order_id, sells_only, CASE WHEN is_split THEN counts ELSE counts_alone END AS counts, quantity,
         coalesce(CASE WHEN is_split THEN sum(counts * quantity) OVER of_market ELSE sum(counts_alone * quantity) OVER of_outcome END, 0) AS net
  FROM (
    SELECT moved.*, counted_as, is_split AND sells_only AND side = 'SELL' AS sells_only,
           CASE side WHEN 'BUY' THEN 1 ELSE -1 END AS counts_alone,
           CASE side WHEN 'BUY' THEN 1 ELSE -1 END * CASE WHEN is_mirrored THEN -1 ELSE 1 END AS counts
    FROM (
      SELECT fill_id, order_id, account_id, outcome_id, side, quantity, engine_sequence, closed_quantity IS NOT NULL AS is_split
      FROM trading.fill
      UNION ALL
      SELECT adjustment_id, NULL, adjustment.account_id, outcome_id, side, quantity_delta, adjustment.engine_sequence, false
      FROM trading.adjustment JOIN trading.fill USING (fill_id)
    ) AS moved
    JOIN ladder USING (outcome_id)
  ) AS signed
  WINDOW of_market AS (PARTITION BY account_id, counted_as ORDER BY engine_sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
         of_outcome AS (PARTITION BY account_id, outcome_id ORDER BY engine_sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS run JOIN trading.orders USING (order_id)
WHERE (reduce_only OR run.sells_only) AND run.quantity > -counts * net
UNION ALL
SELECT trade_id, string_agg(account_id, ' '), 'two accounts'
FROM trading.fill
GROUP BY trade_id
HAVING count(DISTINCT account_id) <> 2;
