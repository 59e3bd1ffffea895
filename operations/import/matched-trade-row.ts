import type { Identities } from '../../pipelines/revisions/identities.ts'
import { TradeMatcher, type TradeReport } from '../../pipelines/revisions/match-trades.ts'
import { tradeRow } from '../../pipelines/revisions/trade-revisions.ts'
import type { TradeRecord } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'

/**
 * Returns the function that makes the rows of a plan's trades, each with the id under which its trade was reported first. Rows are
 * made in commit order, and may be made again: a report keeps the decision that was made about it.
 * @param known stored reports of the same trades, oldest publication first
 */
export function matchedTradeRow(known: readonly TradeReport[]) {
  const matcher = new TradeMatcher(known)
  return (trade: TradeRecord, revised: Revised, ids: Identities) => {
    const outcome_id = ids.outcomeId(ids.marketId(trade.venue_id, trade.source_market_id), trade.outcome)
    const first = matcher.firstIdOf({ ...trade, outcome_id, first_source_trade_id: null })
    return tradeRow(trade, revised, ids, first)
  }
}
