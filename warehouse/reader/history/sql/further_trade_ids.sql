-- Further ids under which feeds reported some trades.
--
-- template  {{rows}}   Parquet files
--           {{known}}  condition on rows: the market, published_at at or before as_of, the range of source instants
--           params $source_trade_ids  VARCHAR[]
-- returns   source_trade_id of the trade, further_id of another report of it
select distinct first_source_trade_id as source_trade_id, source_trade_id as further_id
from {{rows}}
where {{known}}
  and first_source_trade_id <> source_trade_id
  and first_source_trade_id in (select unnest($source_trade_ids))
order by all
