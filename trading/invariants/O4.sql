-- O4  No fill is worse than the signed limit; all fees of an order are within maximum_fee, and its filled notional is
-- within maximum_notional (a SELL is counted at its limit).
--
-- returns  subject, found, expected: one row per violation; none if it holds
WITH signed AS (
  SELECT order_id, side, limit_price::numeric * 10::numeric ^ price_scale AS limit_price, fees,
         maximum_fee::numeric * 10::numeric ^ scale AS fee_max, maximum_notional::numeric * 10::numeric ^ scale AS notional_max,
         CASE side WHEN 'BUY' THEN filled_notional
           ELSE limit_price::numeric * 10::numeric ^ price_scale * filled_quantity * (terms->>'unit')::bigint END AS notional
  FROM trading.orders
  JOIN trading.market USING (market_id)
  JOIN trading.asset ON asset_id = settlement_asset_id
  WHERE orders.status <> 'rejected'
)
SELECT fill_id AS subject, price::text AS found, signed.side || ' at ' || limit_price AS expected
FROM trading.fill JOIN signed USING (order_id)
WHERE (signed.side = 'BUY' AND price > limit_price) OR (signed.side = 'SELL' AND price < limit_price)
UNION ALL
SELECT order_id, concat_ws(' ', fees, notional), concat_ws(' ', fee_max, notional_max)
FROM signed
WHERE fees > fee_max OR notional > notional_max;
