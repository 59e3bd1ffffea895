import { afterEach, describe, expect, test } from 'vitest'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import type { ReadRange, VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { createKalshiReader } from '../../../pipelines/venues/kalshi/kalshi-reader.ts'
import type { TradeRecord } from '../../../pipelines/venues/record.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { type ServedVenue, serveVenue } from '../../support/served-venue.ts'

const HOUR = 60 * MINUTE
const WORLD = { seed: 'past', start: START, days: 3, markets: 12, interval: 10 * MINUTE }
const NOW = START + 3 * MICROS_PER_DAY
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function open(historical_after?: Micros): Promise<{ served: ServedVenue; connector: VenueConnector }> {
  const past = { remembers: 10 * MICROS_PER_DAY, ...(historical_after === undefined ? {} : { historical_after }) }
  const served = await serveVenue('kalshi', WORLD, NOW, past)
  const connector = served.connect({ page_max: 50 })
  running.push(connector, served)
  return { served, connector }
}

async function read(connector: VenueConnector, range: ReadRange): Promise<PayloadItem[]> {
  const items: PayloadItem[] = []
  for (const part of ['catalogue', 'trades', 'history'] as const) {
    for await (const item of connector.read(part, range)) items.push(item)
  }
  return items
}

const requestsOf = (items: readonly PayloadItem[]) =>
  items.map((item) => ('payload' in item ? (item.payload.request ?? '') : 'quarantined'))

function recordsOf(items: readonly PayloadItem[]) {
  const reader = createKalshiReader(NOW + MICROS_PER_DAY)
  const [trades, quotes] = [new Map<string, TradeRecord>(), new Map<string, string>()]
  for (const item of items) {
    const found = 'payload' in item ? reader.read(item.payload) : {}
    expect(found.quarantine ?? []).toEqual([])
    for (const trade of found.trades ?? []) trades.set(trade.source_trade_id, { ...trade, line: 0, path: '', file: '' })
    for (const { source_market_id, outcome, source_at, book } of found.quotes ?? []) {
      if (source_at < NOW) quotes.set(`${source_market_id} ${outcome} ${source_at}`, JSON.stringify(book))
    }
  }
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return { trades: sorted(trades), quotes: sorted(quotes) }
}

describe('what is older than the cutoff', () => {
  test('is read below /historical, with the same records as without a cutoff', async () => {
    const [split, live] = [await open(6 * HOUR), await open()]
    const found: string[] = []
    let markets = 0
    const { markets: all } = live.served.venue.world
    const ended = all.filter(({ stage, stage_at }) => stage === 'final' && stage_at < NOW - 6 * HOUR)
    expect(ended.length).toBeGreaterThan(0)
    for (const { plan } of [...ended.slice(0, 2), ...all.filter(({ stage }) => stage === 'open').slice(0, 2)]) {
      const list = await (await fetch(`${live.served.base_url}/trade-api/v2/markets?limit=1000`)).json()
      const ticker = (list as { markets: { ticker: string }[] }).markets[plan.ordinal]!.ticker
      const range = { from: START, to: NOW, source_market_ids: [ticker] }
      const items = await read(split.connector, range)
      found.push(...requestsOf(items))
      const [ours, others] = [recordsOf(items), recordsOf(await read(live.connector, range))]
      expect(ours).toEqual(others)
      markets += ours.trades.length > 0 ? 1 : 0
    }
    expect(markets).toBeGreaterThan(1)
    for (const path of ['/historical/trades?', '/historical/markets/', '/markets/trades?', '/series/']) {
      expect(
        found.some((request) => request.startsWith(path)),
        path,
      ).toBe(true)
    }
    // One that was paid before the cutoff has its candles there as well.
    expect(found.some((request) => /^\/historical\/markets\/[^/]+\/candlesticks/.test(request))).toBe(true)
  })

  test('nothing is lost where the cutoff moves while a range is read', async () => {
    const { served, connector } = await open(36 * HOUR)
    const others = await open()
    const range = { from: START + 24 * HOUR, to: NOW }
    const items: PayloadItem[] = []
    let moved = false
    for await (const item of connector.read('trades', range)) {
      items.push(item)
      // The historical part has been read to its end: what was live at its begin becomes historical now.
      if (!moved && requestsOf([item])[0]!.startsWith('/historical/trades')) {
        moved = true
        served.clock.advanceTo(NOW + 6 * HOUR)
      }
    }
    expect(moved).toBe(true)
    const whole: PayloadItem[] = []
    others.served.clock.advanceTo(NOW + 6 * HOUR)
    for await (const item of others.connector.read('trades', range)) whole.push(item)
    const ids = (of: readonly PayloadItem[]) => recordsOf(of).trades.map(([id]) => id)
    expect(ids(items)).toEqual(ids(whole))
    expect(requestsOf(items).filter((request) => request === '/historical/cutoff')).toHaveLength(2)
  })

  test("a market's documents are requested once and reused as first received", async () => {
    const { served, connector } = await open(36 * HOUR)
    const list = (await (await fetch(`${served.base_url}/trade-api/v2/markets`)).json()) as {
      markets: { ticker: string }[]
    }
    const range = { from: START, to: NOW, source_market_ids: [list.markets[0]!.ticker] }
    const first: PayloadItem[] = []
    for await (const item of connector.read('catalogue', range)) first.push(item)
    served.faults.nextAnswer('/', { kind: 'status', status: 400 })
    const again: PayloadItem[] = []
    for await (const item of connector.read('catalogue', range)) again.push(item)
    expect(again).toEqual(first)
    expect(requestsOf(first).map((request) => request.split('/')[1])).toEqual(['events', 'series', 'markets'])
  })
})
