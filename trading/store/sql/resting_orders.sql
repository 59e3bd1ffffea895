-- Orders that an engine holds in memory: conditions and order of a COPY from trading.orders.
--
-- order    oldest first, in which they rest at a price
-- plan     the partial index orders_working
WHERE status IN ({{RESTING_STATUSES}})
ORDER BY accepted_sequence
