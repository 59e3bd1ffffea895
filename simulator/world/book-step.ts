import type { Micros } from '../../primitives/instants.ts'
import type { WorldEvent } from './events.ts'
import { ceilToGrid, floorToGrid, isPrice } from './grid.ts'
import { extendRange } from './hour-bars.ts'
import { bestAsk, bestBid, changeLevel, type Side } from './ladder.ts'
import type { BookMarket } from './market-state.ts'

/** State that the traders of one market use in one short moment. */
export type BookStep = {
  readonly market: BookMarket
  /** Probability known to the informed, in millionths. */
  readonly fair: number
  /** Returns the instant of the next event; never decreases. */
  readonly tick: () => Micros
  readonly events: WorldEvent[]
}

/** Best prices wanted by the market maker, on the grid; null = no such price is above 0 and below 1. */
export type Targets = { readonly bid: number | null; readonly ask: number | null }

/** Returns the market maker's prices around its estimate. */
export function targetsOf({ grid, estimate, half_spread }: BookMarket): Targets {
  const middle = Math.floor(estimate / 100)
  const bid = floorToGrid(grid, Math.max(0, middle - half_spread))
  const ask = ceilToGrid(grid, middle + half_spread)
  return { bid: isPrice(bid) ? bid : null, ask: isPrice(ask) ? ask : null }
}

const REPEATED_OF_MILLION = 3_000

/** Changes a level, updates the hour's best prices, and emits the change. */
export function moveLevel({ market, tick, events }: BookStep, side: Side, price: number, delta: number): void {
  const change = changeLevel(market.ladder, side, price, delta)
  const at = tick()
  market.book_at = at
  market.book_version += 1
  if (market.hour !== null) {
    market.hour.bid = extendRange(market.hour.bid, change.best_bid)
    market.hour.ask = extendRange(market.hour.ask, change.best_ask)
  }
  const repeated = market.random.chance(REPEATED_OF_MILLION)
  const { book_version: version, plan } = market
  events.push({ type: 'book_changed', at, market: plan.ordinal, change, version, repeated })
}

/** Adds an order unless it would match the other side: that would be a trade. */
export function addOrder(step: BookStep, side: Side, price: number, size: number): void {
  const { ladder } = step.market
  const other = side === 'bid' ? bestAsk(ladder) : bestBid(ladder)
  const meets = other !== null && (side === 'bid' ? price >= other : price <= other)
  if (isPrice(price) && !meets) moveLevel(step, side, price, size)
}

/** Removes the whole level at an ordinal. */
export function cancelLevel(step: BookStep, side: Side, index: number): void {
  const { bids, asks } = step.market.ladder
  const level = (side === 'bid' ? bids : asks)[index]
  if (level !== undefined) moveLevel(step, side, level.price, -level.size)
}
