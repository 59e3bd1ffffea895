-- The newest row of each key among the rows of some files known at an instant.
--
-- template  {{columns}}  the table's columns
--           {{rows}}     Parquet files
--           {{known}}    condition on rows: the key asked for, published_at at or before as_of
--           {{key}}      columns that identify whose row it is
--           {{newest}}   columns whose greatest values make a row the newest, every one descending
-- rule      the newest row is the current one of its chain, because the order ends with the current key (methodology §14)
select {{columns}}
from {{rows}}
where {{known}}
qualify row_number() over (partition by {{key}} order by {{newest}}) = 1
