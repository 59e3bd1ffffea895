-- Versions of one severity index.
--
-- params   $severity_index_id  VARCHAR
-- returns  ascending by effective_from
select * from severity_index_version where severity_index_id = $severity_index_id order by effective_from;
