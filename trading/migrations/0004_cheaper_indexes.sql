-- What every order writes to costs the server less: half of its work for an order was to keep indexes.
--
-- returns  nothing; it changes indexes of the schema trading
-- rule     an account's entries of an asset are found by a hash of both names, four bytes in place of some forty: they are always summed
--          as a whole, and whoever asks compares the names too, so two of the same hash cost a look and nothing else
SET LOCAL search_path TO trading;

DROP INDEX ledger_entry_by_account;
CREATE INDEX ledger_entry_by_account ON ledger_entry (hashtext(account_id || ' ' || asset_id), ledger_sequence)
  WITH (deduplicate_items = off);

-- No two entries of these are the same, so looking for equal ones to put together is work for nothing.
ALTER INDEX engine_event_by_account_kind SET (deduplicate_items = off);
ALTER INDEX engine_event_by_subject SET (deduplicate_items = off);
ALTER INDEX orders_by_account SET (deduplicate_items = off);
ALTER INDEX orders_by_client_id SET (deduplicate_items = off);
ALTER INDEX orders_working SET (deduplicate_items = off);
ALTER INDEX orders_working_of SET (deduplicate_items = off);
ALTER INDEX fill_by_account SET (deduplicate_items = off);
ALTER INDEX settlement_by_account SET (deduplicate_items = off);
ALTER INDEX settlement_unconfirmed SET (deduplicate_items = off);
ALTER INDEX settlement_waiting SET (deduplicate_items = off);

-- A fill names its settlement, a trade is followed by its two fills: nobody has to find them the other way.
ALTER TABLE fill DROP CONSTRAINT fill_settlement_id_key;
ALTER TABLE fill DROP CONSTRAINT fill_engine_sequence_key;
DROP INDEX settlement_by_fill;
