-- Of each key of a growing table the place of its newest row, that of its last published row, and since when there is any.
--
-- template  {{key}}    columns that identify whose row it is
--           {{order}}  struct of what makes a row the newest, ended by published_at and row_ordinal; no field is ever null
--           {{rows}}   the snapshot's Parquet files
--           {{as_of}}  TIMESTAMPTZ literal, inclusive bound of published_at
-- returns   the key, newest and last as structs of published_at and row_ordinal, first_published_at
-- rule      the newest row is the current one of its chain, because the order ends with the current key (methodology 4.13)
select
  {{key}},
  max({{order}}) as newest_order,
  max({'published_at': published_at, 'row_ordinal': row_ordinal}) as last_order,
  min(published_at) as first_published_at
from {{rows}}
where published_at <= {{as_of}}
group by {{key}};
