-- Price levels of all outcomes: quantity and number of orders at each price. Single orders are not shown.
--
-- returns  outcome_id, side, price at the market's price_scale, quantity, order_count
-- rule     the statuses are those of the partial index orders_working: orders suspended by a market's pause keep their priority
SELECT outcome_id, side, trunc(limit_price::numeric * 10::numeric ^ price_scale)::bigint AS price,
       sum(remaining_quantity)::bigint AS quantity, count(*)::integer AS order_count
FROM trading.orders
WHERE status IN ({{RESTING_STATUSES}})
GROUP BY outcome_id, side, price;
