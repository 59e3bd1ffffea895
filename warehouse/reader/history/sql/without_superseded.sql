-- Rows of `visible` that are the current one of their chain.
--
-- template  {{chain}}       columns that identify a chain; {{same_chain}} joins v and r on them, null equal to null
--           {{rows}}        every file that may hold a row of these chains
--           {{known}}       condition on rows: the key asked for, published_at at or before as_of, the chains' range
--           {{newest}}      struct of the current key, ended by published_at and row_ordinal
--           {{newest_of_v}} the same of a row of `visible`
--           {{revised}}     condition on a group: the chain has a second row
-- rule      current(T): no row of the chain known at T has a greater current key (methodology §14)
-- exact     revisions are 1, 2, 3 ... in the order of publication (audited), so a chain of several rows has one above 1
select v.*
from visible as v
left join (
  select {{chain}}, max({{newest}}) as newest_order
  from {{rows}}
  where {{known}}
  group by {{chain}}
  having {{revised}}
) as r on {{same_chain}}
where r.newest_order is null or r.newest_order <= {{newest_of_v}}
