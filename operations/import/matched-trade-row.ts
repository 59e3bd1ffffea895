import type { Identities } from '../../pipelines/revisions/identities.ts'
import { matchTrades, type TradeReport } from '../../pipelines/revisions/match-trades.ts'
import { tradeChain, tradeRow } from '../../pipelines/revisions/trade-revisions.ts'
import type { TradeRecord } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'

/**
 * Returns the function that makes the rows of a plan's trades, each with the id under which its trade was reported first.
 * @param trades the plan's trades in commit order
 * @param known  stored reports of the same trades, oldest publication first
 */
export function matchedTradeRow(trades: readonly TradeRecord[], known: readonly TradeReport[], ids: Identities) {
  const reports = trades.map((trade): TradeReport => {
    const outcome_id = ids.outcomeId(ids.marketId(trade.venue_id, trade.source_market_id), trade.outcome)
    return { ...trade, outcome_id, first_source_trade_id: null }
  })
  const first = matchTrades(known, reports)
  return (trade: TradeRecord, revised: Revised) => {
    const { venue_id, source_market_id, source_trade_id } = trade
    return tradeRow(trade, revised, ids, first.get(tradeChain(venue_id, source_market_id, source_trade_id)))
  }
}
