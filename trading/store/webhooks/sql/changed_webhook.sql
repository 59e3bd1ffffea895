-- A webhook, if it was changed after an engine_sequence.
--
-- params   $1 webhook_id
--          $2 engine_sequence, exclusive
-- returns  columns of webhook
SELECT * FROM trading.webhook WHERE webhook_id = $1 AND engine_sequence > $2
