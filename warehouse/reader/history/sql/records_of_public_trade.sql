-- Trades and their corrections as the tape shows them, each once.
--
-- template  {{rows}}      relation of public_trade rows
--           {{is_trade}}  condition on trades (warehouse/read/is-trade.ts)
select * from {{rows}}
where {{is_trade}}
