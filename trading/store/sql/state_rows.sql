-- All rows of a table that an engine is rebuilt from, in a fixed order.
--
-- template  {{table}}  its name,
--                      and the condition on its rows
--           {{order}}  columns that order the rows
SELECT * FROM trading.{{table}} ORDER BY {{order}};
