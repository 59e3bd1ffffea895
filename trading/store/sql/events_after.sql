-- Events after a cursor, in order, with the stamps of their batches.
--
-- params   $1 bigint engine_sequence, exclusive   $2 integer rows at most
-- returns  rows of engine_event, and at: when the event happened
-- rule     the stamp is looked up for the rows that are given alone: a join could be planned as one of everything
SELECT e.engine_sequence, e.batch_sequence, e.kind, e.account_id, e.body,
       (SELECT b.at FROM trading.engine_batch b WHERE b.batch_sequence = e.batch_sequence) AS at
FROM trading.engine_event e
WHERE e.engine_sequence > $1
ORDER BY e.engine_sequence
LIMIT $2;
