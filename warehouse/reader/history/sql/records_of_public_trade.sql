-- Trades as the public view shows them.
--
-- template  {{rows}}  relation of public_trade rows
select * from {{rows}}
