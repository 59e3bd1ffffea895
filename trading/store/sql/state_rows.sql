-- All rows of a table that an engine is rebuilt from, in a fixed order.
--
-- template  {{table}}  its name
--           {{order}}  columns that order the rows
SELECT * FROM trading.{{table}} ORDER BY {{order}};
