-- End of the engine's history.
--
-- returns  0 or 1 row: engine_sequence of the last event that was committed, and the stamp of its batch
SELECT last_engine_sequence AS engine_sequence, at
FROM trading.engine_batch
ORDER BY batch_sequence DESC
LIMIT 1;
