-- Orders that work, oldest first: the order in which they rest at a price.
--
-- returns  rows of orders
-- rule     the statuses are those of the partial index orders_working
SELECT *
FROM trading.orders
WHERE status IN ('open', 'partially_filled', 'suspended')
ORDER BY accepted_sequence;
