-- Start of the events kept for resuming streams: the end of a batch, within a maximum age and number of events.
--
-- params   $1 timestamptz   $2 bigint engine_sequence
-- returns  engine_sequence, exclusive: of the last batch up to the instant, or of the batch of the event, whichever is later; 0: of all
SELECT greatest(
  coalesce((SELECT last_engine_sequence FROM trading.engine_batch WHERE at <= $1 ORDER BY at DESC LIMIT 1), 0),
  coalesce((SELECT b.last_engine_sequence
            FROM trading.engine_event e JOIN trading.engine_batch b ON b.batch_sequence = e.batch_sequence
            WHERE e.engine_sequence = $2), 0)
) AS engine_sequence;
