-- Checkpoints of public books, so that a past book is read from few events. They repeat what the events say and can be made again.
--
-- returns  nothing; it extends the schema trading
-- rule     levels: [side, price, quantity, order_count] of every price level that the book events of the outcome up to
--          engine_sequence leave, bids best first, then asks best first
SET LOCAL search_path TO trading;

CREATE TABLE book_checkpoint (
  outcome_id      text   NOT NULL,
  engine_sequence bigint NOT NULL,
  levels          json   NOT NULL,
  PRIMARY KEY (outcome_id, engine_sequence)
);
