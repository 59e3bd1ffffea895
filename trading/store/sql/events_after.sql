-- Events after a cursor, in order.
--
-- params   $1 bigint engine_sequence, exclusive   $2 integer rows at most
-- returns  rows of engine_event
SELECT engine_sequence, batch_sequence, kind, account_id, body
FROM trading.engine_event
WHERE engine_sequence > $1
ORDER BY engine_sequence
LIMIT $2;
