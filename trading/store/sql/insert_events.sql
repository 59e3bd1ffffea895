-- Writes the events of one batch.
--
-- params   $1 json  array of {engine_sequence, batch_sequence, kind, account_id, body}
-- returns  nothing
-- rule     `body` keeps its text byte for byte: the hash of the batch was made over it
INSERT INTO trading.engine_event SELECT * FROM json_populate_recordset(NULL::trading.engine_event, $1);
