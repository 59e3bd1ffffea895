-- Index observations as the public view shows them.
--
-- template  {{rows}}  relation of index_observation rows
select *, epoch_ms(published_at) as published_at_ts_ms from {{rows}}
