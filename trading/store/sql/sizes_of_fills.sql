-- Sizes of a market as the fills of accounts make them, at an instant.
--
-- params   $1 text market_id   $2 timestamptz inclusive
-- returns  terms, volume: quantity of the fills of takers in the 24 hours up to the instant, as adjusted by then while both sides of
--          their trade were equal, open_interest: quantity that accounts hold by their fills, adjustments and payouts by then
-- rule     in a complementary market an account has one exposure, Y - N, and the open interest is the number of sets: what is held of
--          either outcome, with what the house holds where it stands in for an adjusted side
WITH bounds AS (
  SELECT coalesce((SELECT b.last_engine_sequence FROM trading.engine_batch b WHERE b.at <= $2 ORDER BY b.at DESC LIMIT 1), 0) AS upto
),
filled AS (
  SELECT f.* FROM trading.fill f WHERE f.market_id = $1 AND f.engine_sequence <= (SELECT upto FROM bounds)
),
change AS (
  SELECT f.trade_id, f.account_id, f.outcome_id, f.side, a.quantity_delta
  FROM trading.adjustment AS a JOIN filled AS f USING (fill_id)
  WHERE a.engine_sequence <= (SELECT upto FROM bounds)
),
equal AS (
  SELECT DISTINCT ON (trade_id) trade_id, quantity_delta
  FROM trading.adjusted_trade
  WHERE trade_id IN (SELECT trade_id FROM change) AND engine_sequence <= (SELECT upto FROM bounds)
  ORDER BY trade_id, engine_sequence DESC
),
traded AS (
  SELECT account_id, outcome_id, CASE side WHEN 'BUY' THEN quantity ELSE -quantity END AS quantity FROM filled
  UNION ALL
  SELECT account_id, outcome_id, CASE side WHEN 'BUY' THEN quantity_delta ELSE -quantity_delta END FROM change
),
paid AS (
  SELECT DISTINCT ON (account_id, outcome_id) account_id, outcome_id, -net_quantity AS quantity
  FROM trading.resolution_payout
  WHERE market_id = $1 AND engine_sequence <= (SELECT upto FROM bounds)
  ORDER BY account_id, outcome_id, engine_sequence DESC
),
held AS (
  SELECT sum(quantity) AS quantity
  FROM (SELECT * FROM traded UNION ALL SELECT * FROM paid) AS moved
  GROUP BY account_id, outcome_id
),
sign AS (
  SELECT outcome_id, CASE WHEN row_number() OVER (ORDER BY place) = 1 THEN 1 ELSE -1 END AS sign
  FROM trading.market_outcome WHERE market_id = $1
),
exposure AS (
  SELECT sum(sign * quantity) AS quantity
  FROM (SELECT * FROM traded
        UNION ALL
        SELECT 'acct_house_receivable', outcome_id, -quantity FROM traded
        UNION ALL
        SELECT * FROM paid) AS moved
  JOIN sign USING (outcome_id)
  GROUP BY account_id
)
SELECT m.terms,
       (SELECT coalesce(sum(f.quantity + coalesce(e.quantity_delta, 0)), 0) FROM filled AS f LEFT JOIN equal AS e USING (trade_id)
        WHERE f.liquidity_role = 'taker' AND f.at > $2::timestamptz - interval '24 hours')::text AS volume,
       CASE WHEN (m.terms ->> 'complementary')::boolean
            THEN (SELECT coalesce(greatest(sum(quantity) FILTER (WHERE quantity > 0), -sum(quantity) FILTER (WHERE quantity < 0)), 0)
                  FROM exposure)
            ELSE (SELECT coalesce(sum(quantity), 0) FROM held WHERE quantity > 0)
       END::text AS open_interest
FROM trading.market AS m
WHERE m.market_id = $1;
