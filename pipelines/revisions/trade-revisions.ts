import type { Revised } from '../../primitives/append-only.ts'
import { instantText } from '../text/instant-text.ts'
import type { TradeRecord } from '../venues/record.ts'
import type { Facts } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import { tradeIdOf } from './identity.ts'
import type { RevisionRule } from './plan-revisions.ts'

/** Returns the chain of a `public_trade` row: all reports about one trade of a venue. */
export function tradeChain(venue_id: string, source_market_id: string, source_trade_id: string): string {
  return `${venue_id}\u001f${source_market_id}\u001f${source_trade_id}`
}

/** Fields of a report about its trade; `outcome_id` replaces the outcome. */
export type TradeFacts = Pick<
  TradeRecord,
  'price' | 'quantity' | 'aggressor_side' | 'correction_kind' | 'source_at'
> & {
  readonly outcome_id: string
}

/** Returns a report's facts in one canonical text; sequence numbers are not part of them. */
export function tradeFacts(trade: TradeFacts): Facts {
  const { outcome_id, price, quantity, aggressor_side, source_at } = trade
  const content = [outcome_id, price, quantity, aggressor_side ?? '', source_at].join('|')
  return { kind: trade.correction_kind === 'void' ? 'void' : 'trade', content }
}

/** Returns why a report supersedes another: TRADE_VOIDED or SOURCE_CORRECTION. */
function tradeReason(_previous: Facts, next: Facts): string {
  return next.kind === 'void' ? 'TRADE_VOIDED' : 'SOURCE_CORRECTION'
}

/** Returns the rule by which reports of trades form chains. */
export function tradeRule(ids: Identities): RevisionRule<TradeRecord> {
  return {
    chainOf: (t) => tradeChain(t.venue_id, t.source_market_id, t.source_trade_id),
    idOf: tradeId,
    factsOf: (t) =>
      tradeFacts({ ...t, outcome_id: ids.outcomeId(ids.marketId(t.venue_id, t.source_market_id), t.outcome) }),
    reasonOf: tradeReason,
  }
}

/** Returns a row of `public_trade`. */
export function tradeRow(trade: TradeRecord, revised: Revised, ids: Identities) {
  const market_id = ids.marketId(trade.venue_id, trade.source_market_id)
  return {
    trade_id: tradeId(trade),
    revision: revised.revision,
    supersedes_id: revised.supersedes_id,
    correction_reason: revised.correction_reason,
    venue_id: trade.venue_id,
    source_series_id: trade.source_series_id,
    source_market_id: trade.source_market_id,
    market_id,
    outcome_id: ids.outcomeId(market_id, trade.outcome),
    price: trade.price,
    quantity: trade.quantity,
    aggressor_side: trade.aggressor_side,
    source_trade_id: trade.source_trade_id,
    source_sequence: trade.source_sequence,
    correction_kind: trade.correction_kind,
    source_at: trade.source_at,
    received_at: trade.received_at,
  }
}

function tradeId(t: TradeRecord): string {
  return tradeIdOf(t.venue_id, t.source_market_id, t.source_trade_id, instantText(t.received_at))
}
