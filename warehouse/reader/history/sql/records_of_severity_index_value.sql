-- Values of severity indexes as the public view shows them.
--
-- template  {{rows}}  relation of severity_index_value rows
select * from {{rows}}
