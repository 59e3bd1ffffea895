-- Sizes of the markets that have not ended, and of some that have, at the last batch.
--
-- params   $1 text[]  ended markets that are wanted too: payouts and the end of the day still change their sizes
-- returns  market_id, terms, at: stamp of the last batch; volume: quantity of the trades of the 24 hours up to it that stand,
--          open_interest: quantity that accounts hold, of all outcomes, liquidity: price x quantity of all resting orders
-- rule     a trade is as its last correction states it; the house, which stands in for a corrected side, holds nothing. The open
--          interest of a complementary market is the number of its sets; its pool owes both outcomes of each
WITH head AS (
  SELECT last_engine_sequence, at FROM trading.engine_batch ORDER BY batch_sequence DESC LIMIT 1
),
day AS (
  SELECT coalesce((SELECT b.last_engine_sequence FROM trading.engine_batch b WHERE b.at <= head.at - interval '24 hours'
                   ORDER BY b.at DESC LIMIT 1), 0) AS after
  FROM head
),
corrected AS (
  SELECT DISTINCT ON (body ->> 'trade_id') body ->> 'trade_id' AS trade_id,
         CASE body ->> 'correction' WHEN 'void' THEN 0 ELSE (body ->> 'quantity')::bigint END AS quantity
  FROM trading.engine_event
  WHERE kind = 'trade_correction' AND engine_sequence > (SELECT after FROM day)
  ORDER BY body ->> 'trade_id', engine_sequence DESC
),
traded AS (
  SELECT o.market_id, sum(coalesce(c.quantity, (e.body ->> 'quantity')::bigint)) AS volume
  FROM trading.market_outcome AS o
  CROSS JOIN LATERAL (
    SELECT body
    FROM trading.engine_event
    WHERE account_id IS NULL
      AND coalesce(body ->> 'outcome_id', body ->> 'market_id') = o.outcome_id
      AND kind = 'trade'
      AND engine_sequence > (SELECT after FROM day)
  ) AS e
  LEFT JOIN corrected AS c ON c.trade_id = e.body ->> 'trade_id'
  GROUP BY o.market_id
),
held AS (
  SELECT market_id, sum(net_quantity) AS open_interest
  FROM trading.position
  WHERE net_quantity > 0 AND account_id NOT LIKE 'acct\_house\_%'
  GROUP BY market_id
),
sets AS (
  SELECT market_id, max(-net_quantity) AS open_interest
  FROM trading.position
  WHERE account_id = 'acct_house_pool_' || market_id
  GROUP BY market_id
),
resting AS (
  SELECT market_id, sum(trunc(limit_price::numeric * 10::numeric ^ price_scale) * remaining_quantity) AS liquidity
  FROM trading.orders
  WHERE status IN ({{RESTING_STATUSES}})
  GROUP BY market_id
)
SELECT m.market_id, m.terms, head.at, coalesce(volume, 0)::text AS volume,
       coalesce(CASE WHEN (m.terms ->> 'complementary')::boolean THEN sets.open_interest ELSE held.open_interest END, 0)::text AS open_interest,
       trunc(coalesce(liquidity, 0))::text AS liquidity
FROM trading.market AS m
CROSS JOIN head
LEFT JOIN traded USING (market_id)
LEFT JOIN held USING (market_id)
LEFT JOIN sets USING (market_id)
LEFT JOIN resting USING (market_id)
WHERE m.status NOT IN ({{ENDED_STATUSES}}) OR m.market_id = ANY ($1::text[])
ORDER BY m.market_id;
