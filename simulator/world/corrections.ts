import { MICROS_PER_SECOND } from '../../primitives/instants.ts'
import { addOrder, type BookStep } from './book-step.ts'
import type { BookMarket, Trade } from './market-state.ts'
import type { TradeFate } from './takers.ts'

/** Fates of a venue's trades, counted over its markets: one in `every`, the first ones early. */
const LATE = { every: 61, from: 11 } as const
const AMENDED = { every: 173, from: 23 } as const
const BUSTED = { every: 239, from: 37 } as const

const MINUTE = 60 * MICROS_PER_SECOND

/** Marks trades as they are made, counting over one venue. @param amends false if trades never change */
export function createTradeFates({ amends }: { readonly amends: boolean }): TradeFate {
  let count = 0
  return (trade, market) => {
    count += 1
    const { random } = market
    if (count % LATE.every === LATE.from) return { ...trade, listed_at: trade.at + random.between(20, 70) * MINUTE }
    const kind = kindOf(count, amends)
    if (kind !== null) market.corrections.push({ at: trade.at + random.between(10, 25) * MINUTE, trade, kind })
    return trade
  }
}

function kindOf(count: number, amends: boolean): 'bust' | 'amend' | null {
  if (count % BUSTED.every === BUSTED.from) return 'bust'
  return amends && count % AMENDED.every === AMENDED.from ? 'amend' : null
}

/** Applies due corrections: a busted trade leaves the tape and its maker's order is restored; an amended one is smaller. */
export function correctTrades(step: BookStep): void {
  const { market, tick, events } = step
  const at = tick()
  while ((market.corrections[0]?.at ?? Number.POSITIVE_INFINITY) <= at) {
    const { trade, kind } = market.corrections.shift()!
    const before = trade.size
    if (kind === 'amend') {
      trade.state = 'amended'
      trade.size = Math.max(1, Math.floor(before / 2))
    } else trade.state = 'busted'
    market.volume -= kind === 'amend' ? before - trade.size : before
    events.push({ type: 'trade_corrected', at: tick(), market: market.plan.ordinal, trade })
    if (kind === 'bust') restoreOrder(step, trade)
  }
}

function restoreOrder(step: BookStep, { taker, price, size }: Trade): void {
  if (isOpen(step.market)) addOrder(step, taker === 'buy' ? 'ask' : 'bid', price, size)
}

function isOpen({ stage }: BookMarket): boolean {
  return stage === 'open'
}
