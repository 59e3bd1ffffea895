import { type BookStep, moveLevel } from './book-step.ts'
import { floorToGrid, tickAt } from './grid.ts'
import { extendRange } from './hour-bars.ts'
import { orderSize } from './makers.ts'
import type { BookMarket, Trade } from './market-state.ts'

/** Takers of prices: the informed, if the book is wrong by more than a tick, and the others at random. */

const INFORMED_OF_MILLION = 80_000
const NOISE_OF_MILLION = 30_000
const FILLS_MAX = 4

/** Decides the fate of a trade after it was made: late, amended, busted, or unchanged. */
export type TradeFate = (trade: Trade, market: BookMarket) => Trade

/** Runs one visit of the takers. */
export function takeMarket(step: BookStep, fateOf: TradeFate): void {
  const { market, fair } = step
  const { random, ladder } = market
  const bid = ladder.bids[0]
  const ask = ladder.asks[0]
  if (random.chance(INFORMED_OF_MILLION)) {
    const price = floorToGrid(market.grid, Math.floor(fair / 100))
    if (ask !== undefined && (ask.price + tickAt(market.grid, ask.price)) * 100 < fair)
      takeUpTo(step, 'buy', price, fateOf)
    else if (bid !== undefined && (bid.price - tickAt(market.grid, bid.price)) * 100 > fair) {
      takeUpTo(step, 'sell', price, fateOf)
    }
    return
  }
  if (!random.chance(NOISE_OF_MILLION)) return
  const taker = random.chance(500_000) ? 'buy' : 'sell'
  const level = taker === 'buy' ? ask : bid
  if (level !== undefined) takeUpTo(step, taker, level.price, fateOf)
}

/** Runs one order that takes level after level up to its limit price, at most FILLS_MAX of them. */
function takeUpTo(step: BookStep, taker: Trade['taker'], limit: number, fateOf: TradeFate): void {
  const { market } = step
  const levels = taker === 'buy' ? market.ladder.asks : market.ladder.bids
  market.orders_count += 1
  const order = market.orders_count
  const on_no = market.random.chance(300_000)
  let left = orderSize(market.random)
  for (let fills = 0; fills < FILLS_MAX && left > 0 && levels.length > 0; fills += 1) {
    const { price, size } = levels[0]!
    if (taker === 'buy' ? price > limit : price < limit) return
    const filled = Math.min(left, size)
    left -= filled
    fill(step, { order, price, size: filled, taker, on_no }, fateOf)
  }
}

type Fill = Pick<Trade, 'order' | 'price' | 'size' | 'taker' | 'on_no'>

function fill(step: BookStep, part: Fill, fateOf: TradeFate): void {
  const { market, tick, events } = step
  const at = tick()
  market.trades_count += 1
  const number = market.trades_count
  const made: Trade = { ...part, market: market.plan.ordinal, number, at, listed_at: at, state: 'good' }
  const trade = fateOf(made, market)
  market.tape.push(trade)
  market.last_trade = { price: part.price, at }
  market.volume += part.size
  if (market.hour !== null) {
    market.hour.price = extendRange(market.hour.price, part.price)
    market.hour.volume += part.size
  }
  events.push({ type: 'traded', at, market: market.plan.ordinal, trade })
  moveLevel(step, part.taker === 'buy' ? 'ask' : 'bid', part.price, -part.size)
}
