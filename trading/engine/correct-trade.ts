import { invariant } from '../../primitives/errors.ts'
import { segmentsAfter } from '../ledger/fill-segments.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import type { FillRow } from '../projections/rows.ts'
import type { Deltas } from './adjusted-fill.ts'
import type { Execution } from './execution.ts'
import type { Facts, TradeFacts } from './facts.ts'

/**
 * Publishes a trade's correction once adjustments leave both of its sides equal: void if both have nothing left, else a
 * correction. While only one side has been adjusted the house stands in for the other, and the trade stays as published. Fees do
 * not matter here.
 */
export function correctTrade(
  execution: Execution,
  facts: Facts,
  fill: FillRow,
  deltas: Deltas,
  terms: MarketTerms,
): void {
  const trade = facts.trades.get(fill.trade_id)
  invariant(trade !== undefined, `trade ${fill.trade_id} was read with its fill`)
  for (const side of trade.sides) {
    if (side.fill_id !== fill.fill_id) continue
    side.quantity += deltas.quantity
    side.notional += deltas.notional
  }
  const [one, other] = trade.sides
  invariant(one !== undefined && other !== undefined, `trade ${fill.trade_id} has two sides`)
  const [worth, other_worth] = [worthOf(one, trade, terms), worthOf(other, trade, terms)]
  if (one.quantity !== other.quantity || worth !== other_worth) return
  const stated = trade.stated ?? {
    record_id: trade.trade_id,
    revision: 1,
    price: trade.price,
    quantity: trade.quantity,
    segments: trade.segments,
  }
  const price = priceOf(one.quantity, worth, trade.price, terms)
  if (one.quantity === stated.quantity && (one.quantity === 0 || price === stated.price)) return
  publishCorrection(execution, trade, stated, { price, quantity: one.quantity })
}

/** Returns a side's notional at prices of the trade's outcome; a side in the other outcome of a complementary market has its complement. */
function worthOf(
  { outcome_id, quantity, notional: worth }: TradeFacts['sides'][number],
  trade: TradeFacts,
  terms: MarketTerms,
): number {
  return outcome_id === trade.outcome_id ? worth : notional(terms, terms.one, quantity) - worth
}

/** Keeps the trade's own price if the corrected one is not on the market's grid, which happens when only money changed. */
function priceOf(quantity: number, worth: number, price: number, terms: MarketTerms): number {
  const of_one = notional(terms, 1, quantity)
  return quantity > 0 && worth % of_one === 0 ? worth / of_one : price
}

type Stated = NonNullable<TradeFacts['stated']>

function publishCorrection(
  execution: Execution,
  trade: TradeFacts,
  before: Stated,
  { price, quantity }: Pick<Stated, 'price' | 'quantity'>,
): void {
  const engine_sequence = execution.nextSequence()
  const record_id = `${trade.trade_id}.${engine_sequence}`
  const revision = before.revision + 1
  // A void correction shows the quantity that is void.
  const shown = quantity === 0 ? before.quantity : quantity
  const segments =
    before.segments == null ? null : segmentsAfter(segmentsAfter(before.segments, before.quantity), shown)
  trade.stated = { record_id, revision, price, quantity, segments }
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'trade_correction',
    correction: quantity === 0 ? 'void' : 'correction',
    record_id,
    revision,
    supersedes_record_id: before.record_id,
    superseded_price: before.price,
    trade_id: trade.trade_id,
    market_id: trade.market_id,
    outcome_id: trade.outcome_id,
    price: quantity === 0 ? before.price : price,
    quantity: shown,
    aggressor_side: trade.aggressor_side,
    traded_at: trade.at,
    ...(segments === null ? {} : { segments }),
  })
}
