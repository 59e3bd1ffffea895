-- Batches of the engine after one of them, in order, each whole.
--
-- params   $1 timestamptz at of the batch before, exclusive   $2 bigint its last_engine_sequence   $3 integer batches at most
--          $4 boolean  true: with the events of accounts; false: only public events and those of keys and accounts themselves
-- returns  batch_sequence, at, last_engine_sequence; events: JSON text of an array of its events in order, each with engine_sequence
--          and kind; null for a batch without events
-- times    stamps of batches are unique and ascend with their sequences
-- rule     one text of a batch: thousands of rows a second would cost their reader more than the database
SELECT b.batch_sequence, b.at, b.last_engine_sequence,
       CASE WHEN b.last_engine_sequence > b.before THEN
         (SELECT '[' || coalesce(string_agg(
                   '{"engine_sequence":' || e.engine_sequence || ',"kind":"' || e.kind || '",' || substr(e.body::text, 2),
                   ',' ORDER BY e.engine_sequence), '') || ']'
          FROM trading.engine_event e
          WHERE e.engine_sequence > b.before AND e.engine_sequence <= b.last_engine_sequence
            AND ($4 OR e.account_id IS NULL OR e.kind IN ('key', 'account')))
       END AS events
FROM (
  SELECT batch_sequence, at, last_engine_sequence, lag(last_engine_sequence, 1, $2::bigint) OVER (ORDER BY at) AS before
  FROM trading.engine_batch
  WHERE at > $1
  ORDER BY at
  LIMIT $3
) b
ORDER BY b.at;
