-- For each key of a growing table the addresses of its newest and last published row, and when its first row was published.
--
-- template  {{key}}    columns that identify whose row it is
--           {{order}}  struct whose greatest value is the newest row, ending with published_at and row_ordinal; no field is null
--           {{rows}}   the snapshot's Parquet files
--           {{shown}}   condition on rows that are shown: of trades, not every report is
--           {{as_of}}  TIMESTAMPTZ literal, inclusive bound of published_at
-- returns   the key, newest and last as structs of published_at and row_ordinal, first_published_at
-- rule      the newest row is the current one of its chain, because the order ends with the current key (methodology §14)
select
  {{key}},
  max({{order}}) as newest_order,
  max({'published_at': published_at, 'row_ordinal': row_ordinal}) as last_order,
  min(published_at) as first_published_at
from {{rows}}
where published_at <= {{as_of}} and {{shown}}
group by {{key}};
