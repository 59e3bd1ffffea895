-- Second and later rows of their chains in some files.
--
-- template  {{columns}}  the key's first column, and what tells which rows these supersede
--           {{rows}}     Parquet files
--           {{limit}}    rows at most
-- exact     revisions are 1, 2, 3 ... in the order of publication (audited), so a chain of several rows has one above 1
select distinct {{columns}}
from {{rows}}
where revision > 1
limit {{limit}}
