-- Keys that have a chain with a second row in some files.
--
-- template  {{key}}    a column of the key
--           {{rows}}   Parquet files
--           {{limit}}  keys at most
-- returns   revised_key
-- exact     revisions are 1, 2, 3 ... in the order of publication (audited), so a chain of several rows has one above 1
select distinct {{key}} as revised_key
from {{rows}}
where revision > 1
limit {{limit}}
