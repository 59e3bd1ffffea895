-- Every revision of one table that is known at an instant: the `_history` form.
--
-- template  {{columns}}  the table's columns, in the order of tables.ts
--           {{rows}}     the snapshot's Parquet files, or an empty relation of the same columns
--           {{as_of}}    TIMESTAMPTZ literal: system time, inclusive
-- rule      known(T) = rows with published_at <= T (methodology §14); source times never filter
-- exact     no order: a reader who needs one asks for it
(
  select {{columns}}
  from {{rows}}
  where published_at <= {{as_of}}
)
