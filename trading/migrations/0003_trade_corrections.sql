-- What a correction asks before it is made: the last one of the same trade, however many trades of its outcome were corrected.
--
-- returns  nothing; it extends the schema trading
SET LOCAL search_path TO trading;

CREATE INDEX engine_event_of_corrected ON engine_event ((body ->> 'trade_id'), engine_sequence) WHERE kind = 'trade_correction';
