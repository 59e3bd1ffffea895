-- Inserts the row of one batch and, on commit, notifies the readers that tail the events.
--
-- params   $1 bigint batch_sequence   $2 bigint epoch   $3 timestamptz at   $4 bigint last_engine_sequence
--          $5 bigint last_ledger_sequence   $6 text previous_hash, hex   $7 text hash, hex
-- returns  nothing of use
-- rule     the notice carries the last engine_sequence; it may be lost with a connection, so a tail looks by itself too
WITH batch AS (
  INSERT INTO trading.engine_batch
    (batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash, hash)
  VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), decode($7, 'hex'))
  RETURNING last_engine_sequence
)
SELECT pg_notify('tidemark_engine', last_engine_sequence::text) FROM batch;
