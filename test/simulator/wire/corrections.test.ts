import { expect, test } from 'vitest'
import { kalshiNames } from '../../../simulator/wire/kalshi/names.ts'
import { tradeFields } from '../../../simulator/wire/kalshi/trade.ts'
import type { WorldEvent } from '../../../simulator/world/events.ts'
import type { BookMarket } from '../../../simulator/world/market-state.ts'
import type { World } from '../../../simulator/world/timeline.ts'
import { smallVenue } from '../support/small-world.ts'

const { world, wire } = smallVenue('kalshi')
const names = kalshiNames(world.plan)

type Correction = {
  readonly event: WorldEvent & { type: 'trade_corrected' }
  readonly after: readonly WorldEvent[]
  /** The trade as the tape lists it just before and just after; null = it does not. */
  readonly listed_before: string | null
  readonly listed_after: string | null
}

/** Every correction of a small world. */
function corrections(): Correction[] {
  const found: Correction[] = []
  for (let at = world.nextAt(); at !== null; at = world.nextAt()) {
    const due = (world as World<BookMarket>).markets.flatMap((market) => market.corrections.slice(0, 1))
    const pending = due.filter((one) => one.at <= at)
    const before = new Map(pending.map(({ trade }) => [trade, listed(trade.market, trade.number, at)]))
    const events = world.advance()?.events ?? []
    events.forEach((event, place) => {
      if (event.type !== 'trade_corrected') return
      const listed_after = listed(event.trade.market, event.trade.number, at)
      const listed_before = before.get(event.trade) ?? null
      found.push({ event, after: events.slice(place + 1), listed_before, listed_after })
    })
  }
  return found
}

/** The count of a trade on the venue's tape. */
function listed(market: number, number: number, at: number): string | null {
  const { trade_id } = tradeFields({ number } as never, 0, names[market]!)
  const { body } = wire.respond(`/markets/trades?limit=1000&ticker=${names[market]!.ticker}`, at)
  const { trades } = JSON.parse(body) as { trades: { trade_id: string; count_fp: string }[] }
  return trades.find((one) => one.trade_id === trade_id)?.count_fp ?? null
}

const found = corrections()
const of = (state: string) => found.filter(({ event }) => event.trade.state === state)

test('a busted trade is on the tape until it is busted, and then no more', () => {
  expect(of('busted').length).toBeGreaterThan(0)
  for (const { listed_before, listed_after } of of('busted')) {
    expect(listed_before).not.toBeNull()
    expect(listed_after).toBeNull()
  }
})

test('the order that a busted trade had taken is put back into the book, unless it would meet another', () => {
  const restored = of('busted').flatMap(({ event, after }) => {
    const [next] = after
    return next?.type === 'book_changed' ? [{ trade: event.trade, change: next.change }] : []
  })
  expect(restored.length).toBeGreaterThan(0)
  for (const { trade, change } of restored) {
    expect(change).toMatchObject({ side: trade.taker === 'buy' ? 'ask' : 'bid', price: trade.price, delta: trade.size })
  }
})

test('an amended trade stays on the tape with half of its size', () => {
  expect(of('amended').length).toBeGreaterThan(0)
  for (const { listed_before, listed_after } of of('amended')) {
    expect(Number(listed_after)).toBeGreaterThan(0)
    expect(Math.abs(Number(listed_before) / 2 - Number(listed_after))).toBeLessThanOrEqual(0.01)
  }
})
