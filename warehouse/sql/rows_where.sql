-- Rows of some files in the order of publication.
--
-- template  {{columns}}  select list
--           {{rows}}     Parquet files
--           {{known}}    condition on rows
select {{columns}} from {{rows}}
where {{known}}
order by published_at, row_ordinal
