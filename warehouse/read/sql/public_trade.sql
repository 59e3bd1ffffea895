-- Trades, each once: a report of a trade that another feed had reported is no trade of its own.
--
-- template  {{rows}}     reports of trades: current or every revision
--           {{reports}}  every visible report
--           {{is_trade}} condition on trades (is-trade.ts)
-- returns   the stored columns of the report that was published first, and source_trade_ids: the ids under which the venue's
--           feeds reported the trade, its own first; correction_kind is void or correction: a revision that changes its trade
--           without voiding it is a correction, whatever its feed called it
-- rule      pipelines/revisions/match-trades.ts decides when a report is stored; reports stored before have no first_source_trade_id
with further as (
  select
    venue_id,
    source_market_id,
    first_source_trade_id as source_trade_id,
    list(distinct source_trade_id order by source_trade_id) as further_ids
  from {{reports}}
  where first_source_trade_id <> source_trade_id
  group by venue_id, source_market_id, first_source_trade_id
)
select
  t.* replace (coalesce(correction_kind, if(supersedes_id is null, null, 'correction')) as correction_kind),
  list_concat([t.source_trade_id], coalesce(f.further_ids, [])) as source_trade_ids
from {{rows}} as t
left join further as f using (venue_id, source_market_id, source_trade_id)
where {{is_trade}}
