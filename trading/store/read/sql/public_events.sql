-- Public events of a range of the history, in order.
--
-- params   $1 bigint engine_sequence, exclusive   $2 bigint engine_sequence, inclusive
-- returns  rows of engine_event, and at: when the event happened
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM trading.engine_event e
WHERE e.engine_sequence > $1 AND e.engine_sequence <= $2 AND e.kind IN ('book', 'trade', 'trade_correction', 'market', 'resolution')
ORDER BY e.engine_sequence;
