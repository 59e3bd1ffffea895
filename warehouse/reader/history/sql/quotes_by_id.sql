-- Quotes by their ids.
--
-- template  {{columns}}    the columns to return
--           {{rows}}       Parquet files
--           {{known}}      condition that all of these rows meet; files excluded by it are not decoded
-- params    $record_ids    VARCHAR[], ids of the quotes
-- returns   in the order of publication
select {{columns}}
from {{rows}} as r
semi join (select unnest($record_ids) as record_id) as a on a.record_id = r.record_id
where {{known}}
order by published_at, row_ordinal;
