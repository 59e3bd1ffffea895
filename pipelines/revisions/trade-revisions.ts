import type { Revised } from '../../primitives/append-only.ts'
import { MICROS_PER_SECOND } from '../../primitives/instants.ts'
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

/** Largest distance of the instants that two feeds state for one trade: one states whole seconds, one the settlement. */
const SAME_INSTANT = 5 * MICROS_PER_SECOND

/**
 * Returns whether a report says nothing new about its trade, so that the trade keeps its one record: the same terms, a side that
 * is equal or not stated in one of them, and instants that differ by no more than feeds do.
 */
function repeatsTrade(previous: Facts, next: Facts): boolean {
  if (previous.kind !== next.kind) return false
  if (previous.content === next.content) return true
  const [a, b] = [previous.content.split('|'), next.content.split('|')]
  const is_same_side = a[3] === b[3] || a[3] === '' || b[3] === ''
  return is_same_side && [0, 1, 2].every((n) => a[n] === b[n]) && Math.abs(Number(a[4]) - Number(b[4])) <= SAME_INSTANT
}

/** Returns the rule by which reports of trades form chains. A repeated report is a duplicate: a trade has one record. */
export function tradeRule(ids: Identities): RevisionRule<TradeRecord> {
  const factsOf = (t: TradeRecord) =>
    tradeFacts({ ...t, outcome_id: ids.outcomeId(ids.marketId(t.venue_id, t.source_market_id), t.outcome) })
  return {
    chainOf: (t) => tradeChain(t.venue_id, t.source_market_id, t.source_trade_id),
    idOf: tradeId,
    factsOf,
    reasonOf: tradeReason,
    addsNothing: (previous, t) => repeatsTrade(previous, factsOf(t)),
  }
}

/** Returns a row of `public_trade`. @param first_source_trade_id id under which the trade was reported first */
export function tradeRow(
  trade: TradeRecord,
  revised: Revised,
  ids: Identities,
  first_source_trade_id: string = trade.source_trade_id,
) {
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
    raw_price: trade.raw_price ?? null,
    quantity: trade.quantity,
    aggressor_side: trade.aggressor_side,
    source_trade_id: trade.source_trade_id,
    first_source_trade_id,
    source_sequence: trade.source_sequence,
    correction_kind: trade.correction_kind,
    source_at: trade.source_at,
    received_at: trade.received_at,
  }
}

function tradeId(t: TradeRecord): string {
  return tradeIdOf(t.venue_id, t.source_market_id, t.source_trade_id, instantText(t.received_at))
}
