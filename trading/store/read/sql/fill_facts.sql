-- Facts of fills that their events do not carry.
-- params: $1 fill ids.
-- returns: fill_id, client_order_id, fee_rate, schedule_id, schedule_version
SELECT fill_id, client_order_id, fee_rate, schedule_id, schedule_version
FROM trading.fill
WHERE fill_id = ANY ($1)
