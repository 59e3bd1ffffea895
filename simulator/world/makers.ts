import { addOrder, type BookStep, cancelLevel, moveLevel, targetsOf } from './book-step.ts'
import { ceilToGrid, floorToGrid, tickAt } from './grid.ts'
import type { Side } from './ladder.ts'
import type { Random } from './random.ts'

/** Market makers: they follow their estimate, withdraw orders on the wrong side of it, and fill the book. */

const LEVELS_MAX = 10
const DEPTH = 6
const STALE_MAX = 3

/** Runs one visit of the market makers; at least one level changes if possible. */
export function makeMarket(step: BookStep): void {
  const { market } = step
  const before = step.events.length
  cancelStale(step)
  const { bid, ask } = targetsOf(market)
  const [first, second] = market.random.chance(500_000) ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const)
  if (joinTarget(step, first, first === 'bid' ? bid : ask)) return
  if (joinTarget(step, second, second === 'bid' ? bid : ask)) return
  if (step.events.length === before) shiftDepth(step, first, first === 'bid' ? bid : ask)
}

function cancelStale(step: BookStep): void {
  const { ladder, estimate } = step.market
  for (let n = 0; n < STALE_MAX && (ladder.bids[0]?.price ?? 0) * 100 > estimate; n += 1) cancelLevel(step, 'bid', 0)
  for (let n = 0; n < STALE_MAX && (ladder.asks[0]?.price ?? 10_000) * 100 < estimate; n += 1) {
    cancelLevel(step, 'ask', 0)
  }
}

/** Offers the target price if the book has nothing as good; returns whether it did. */
function joinTarget(step: BookStep, side: Side, target: number | null): boolean {
  const { ladder, random } = step.market
  const best = side === 'bid' ? ladder.bids[0]?.price : ladder.asks[0]?.price
  if (target === null || (best !== undefined && (side === 'bid' ? best >= target : best <= target))) return false
  const before = step.events.length
  addOrder(step, side, target, orderSize(random))
  return step.events.length > before
}

/** Adds to or removes from a price behind the target; an overfull side loses its worst price. */
function shiftDepth(step: BookStep, side: Side, target: number | null): void {
  const { ladder, random, grid } = step.market
  const levels = side === 'bid' ? ladder.bids : ladder.asks
  const index = random.below(DEPTH)
  const from = target ?? levels[0]?.price
  if (levels.length > LEVELS_MAX) cancelLevel(step, side, levels.length - 1)
  else if (levels[index] !== undefined && random.chance(450_000)) reduce(step, side, index)
  else if (from !== undefined) {
    const away = index * tickAt(grid, from)
    const price = side === 'bid' ? floorToGrid(grid, Math.max(0, from - away)) : ceilToGrid(grid, from + away)
    addOrder(step, side, price, orderSize(random))
  }
}

function reduce(step: BookStep, side: Side, index: number): void {
  const { ladder, random } = step.market
  const level = (side === 'bid' ? ladder.bids : ladder.asks)[index]!
  // Never the last level of a side: a quiet market keeps its quotes.
  const whole = level.size <= 1_000 || (index > 0 && random.chance(400_000))
  moveLevel(step, side, level.price, whole ? -level.size : -random.between(1, level.size - 1))
}

/** Returns an order size: mostly whole contracts; sometimes a fraction. */
export function orderSize(random: Random): number {
  return random.chance(900_000) ? random.between(5, 500) * 100 : random.between(500, 50_000)
}
