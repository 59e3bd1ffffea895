-- Records that are stored more than once.
--
-- template  {{rows}}  every revision of the table
--           {{id}}    the column that names a record
--           {{key}}   columns that no two rows share
-- returns   rule, id, detail; no row when every record is there once
-- rule      a retried commit or a repeated import never stores a record again
select 'DUPLICATE_ID' as rule, any_value({{id}}) as id, count(*) || ' rows have this record' as detail
from {{rows}}
group by {{key}}
having count(*) > 1
