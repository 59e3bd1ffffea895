-- One severity index as it is described.
--
-- params   $severity_index_id  VARCHAR
-- returns  at most one row
select * from severity_index_definition where severity_index_id = $severity_index_id;
