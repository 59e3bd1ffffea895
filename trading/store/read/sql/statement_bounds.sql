-- Transactions of the ledger in a stretch of time and of engine sequences.
--
-- params   $1 first instant, $2 first instant after it; $3 engine_sequence before, $4 engine_sequence after; null: no bound
-- returns  after_sequence, exclusive; upto_sequence, inclusive, null: no bound. By engine sequences the batches at both ends are
--          whole: their entries have to be compared.
-- rule     what happens without an event of its own has the last engine_sequence before it, maybe of the batch before
SELECT greatest(
         (SELECT last_ledger_sequence FROM trading.engine_batch WHERE at < $1::timestamptz ORDER BY at DESC LIMIT 1),
         (SELECT b.last_ledger_sequence
          FROM trading.engine_event e JOIN trading.engine_batch b ON b.batch_sequence = e.batch_sequence - 1
          WHERE e.engine_sequence = $3::bigint),
         0) AS after_sequence,
       least(
         CASE WHEN $2::timestamptz IS NOT NULL THEN coalesce(
           (SELECT last_ledger_sequence FROM trading.engine_batch WHERE at < $2::timestamptz ORDER BY at DESC LIMIT 1), 0) END,
         (SELECT b.last_ledger_sequence
          FROM trading.engine_event e JOIN trading.engine_batch b ON b.batch_sequence = e.batch_sequence + 1
          WHERE e.engine_sequence = $4::bigint)) AS upto_sequence
