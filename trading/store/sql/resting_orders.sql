-- Orders that an engine holds in memory: conditions and order of a COPY from trading.orders.
--
-- returns  the orders in the book and those that may return to it, oldest first: in this order they rest at a price
-- plan     the partial index orders_working
WHERE status IN ({{RESTING_STATUSES}})
ORDER BY accepted_sequence
