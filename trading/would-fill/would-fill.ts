import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10 } from '../../primitives/scaled.ts'
import { WOULD_FILL } from '../../protocol/limits.ts'
import type { WouldFill } from '../../protocol/resources/would-fill.ts'
import { chargeFee, emptyFeeSeries, type FeeSchedule, feeBase } from '../ledger/fees.ts'
import { AVERAGE_SCALE } from '../ledger/position.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { PublicBook, PublicLevel } from '../public-market/public-market.ts'
import type { QueueBound, WalkFill } from './queue-bound.ts'
import type { Walk } from './walk.ts'

/** Assumptions behind an answer, in words; docs/would-it-have-filled.md explains each. */
const ASSUMPTIONS = [
  'Nobody acts otherwise because of the order.',
  'An order that reaches its price meets first what stood before it, then the order, then what stood behind it.',
  'A cancel at its price is behind it in the pessimistic bound, and before it in the optimistic bound.',
  'Within one engine batch only the net change of a price level is known.',
  'An order of the other side that came to rest at its price without a trade counts in the optimistic bound alone.',
  'An order that ended, or was refused, without a trade and without resting left no public record: it is not counted.',
  'Funds, holdings, limits and own orders of the account are not looked at.',
  'Fees are those of the newest version of the schedule of the market at as_of.',
]

/** A walk with what it began from. */
type Walked = {
  readonly walk: Walk
  readonly book: PublicBook
  readonly terms: MarketTerms
  /** null: no version of the market's schedule is known at the instant. */
  readonly fees: FeeSchedule | null
  readonly until: Micros
}

/** Shows the state of a walk as the answer to a preview. */
export function wouldFillOf({ walk, book, terms, fees, until }: Walked): WouldFill {
  const end = walk.endBy(until)
  const shown = (levels: readonly PublicLevel[]) =>
    levels.slice(0, WOULD_FILL.book_depth).map(({ price, quantity, order_count }) => {
      return { price: priceOf(terms, price), quantity: quantityOf(terms, quantity), order_count }
    })
  return {
    until: formatMicros(until),
    ended_at: formatMicros(end.at),
    end_reason: end.reason,
    book: { sequence: book.sequence, bids: shown(book.bids), asks: shown(book.asks) },
    taken: takenOf(walk, terms, fees),
    resting: restingOf(walk, terms),
    pessimistic: boundOf(walk.pessimistic, terms),
    optimistic: boundOf(walk.optimistic, terms),
    assumptions: [...ASSUMPTIONS],
  }
}

/** Returns the fee of what a walk takes at once, in asset units. */
function takerFee({ taken }: Walk, terms: MarketTerms, fees: FeeSchedule): number {
  const series = emptyFeeSeries()
  for (const { price, quantity } of taken) chargeFee(series, fees, 'taker', feeBase(terms, price, quantity))
  return series.charged
}

function takenOf(walk: Walk, terms: MarketTerms, fees: FeeSchedule | null): WouldFill['taken'] {
  const quantity = walk.taken.reduce((sum, level) => sum + level.quantity, 0)
  const fee = fees === null ? null : fromScaled(BigInt(takerFee(walk, terms, fees)), terms.asset_scale)
  return {
    quantity: quantityOf(terms, quantity),
    average_price: averagePrice(walk, terms, quantity),
    fee,
    schedule_id: fees?.schedule_id ?? null,
    schedule_version: fees?.schedule_version ?? null,
    levels: walk.taken.map((level) => {
      return { price: priceOf(terms, level.price), quantity: quantityOf(terms, level.quantity) }
    }),
  }
}

function averagePrice({ taken }: Walk, { price_scale }: MarketTerms, quantity: number): string | null {
  if (quantity === 0) return null
  const value = taken.reduce((sum, level) => sum + BigInt(level.price) * BigInt(level.quantity), 0n)
  return fromScaled(divideHalfEven(value * pow10(AVERAGE_SCALE - price_scale), BigInt(quantity)), AVERAGE_SCALE)
}

function restingOf({ resting, limit_price }: Walk, terms: MarketTerms): WouldFill['resting'] {
  if (resting === null) return null
  const { quantity, ahead } = resting
  return {
    quantity: quantityOf(terms, quantity),
    price: priceOf(terms, limit_price),
    ahead_quantity: quantityOf(terms, ahead.quantity),
    ahead_order_count: ahead.order_count,
  }
}

function boundOf(bound: QueueBound, terms: MarketTerms): WouldFill['pessimistic'] {
  const kept = bound.fills.filter(({ quantity }) => quantity > 0)
  const listed = kept.slice(0, WOULD_FILL.fills_listed_max)
  let cumulative = 0
  return {
    fills: listed.map((fill) => {
      cumulative += fill.quantity
      return fillOf(fill, cumulative, terms)
    }),
    fills_omitted: kept.length - listed.length,
    filled_quantity: quantityOf(
      terms,
      kept.reduce((sum, { quantity }) => sum + quantity, 0),
    ),
    busted_quantity: quantityOf(terms, bound.busted),
    remaining_quantity: quantityOf(terms, bound.remaining),
    completed_at: bound.completed_at === null ? null : formatMicros(bound.completed_at),
  }
}

function fillOf({ filled_at, quantity, price, trade_id }: WalkFill, cumulative: number, terms: MarketTerms) {
  return {
    filled_at: formatMicros(filled_at),
    quantity: quantityOf(terms, quantity),
    price: priceOf(terms, price),
    cumulative_quantity: quantityOf(terms, cumulative),
    trade_id,
  }
}

function priceOf({ price_scale }: MarketTerms, price: number): string {
  return fromScaled(BigInt(price), price_scale)
}

function quantityOf({ quantity_scale }: MarketTerms, quantity: number): string {
  return fromScaled(BigInt(quantity), quantity_scale)
}
