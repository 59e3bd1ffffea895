-- Current row of every chain at an instant that the derived interval file covers: one filtered scan, no window.
--
-- template  {{columns}}    the table's columns
--           {{intervals}}  the interval file (build_intervals.sql)
--           {{as_of}}      TIMESTAMPTZ literal, at most the last published_at that the file covers
-- rule      a row is current from its published_at until a row of its chain with a greater key is published:
--           published_at <= T < superseded_at; rows that never become current are not in the file
(
  select {{columns}}
  from {{intervals}}
  where published_at <= {{as_of}}
    and superseded_at > {{as_of}}
)
