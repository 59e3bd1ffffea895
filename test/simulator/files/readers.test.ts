import { describe, expect, test } from 'vitest'
import { createKalshiReader } from '../../../pipelines/venues/kalshi/kalshi-reader.ts'
import { createManifoldReader } from '../../../pipelines/venues/manifold/manifold-reader.ts'
import { createPolymarketReader } from '../../../pipelines/venues/polymarket/polymarket-reader.ts'
import type { ResolutionRecord, VenueReader, VenueRecords } from '../../../pipelines/venues/record.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { RecordedPayload } from '../../../simulator/files/payload.ts'
import type { MarketTruth, VenueTruth } from '../../../simulator/truth/truth.ts'
import { endOf, VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { recordSmall, SECOND, SMALL, START } from '../support/small-world.ts'

const READERS: Readonly<Record<VenueId, (now: number) => VenueReader>> = {
  polymarket: createPolymarketReader,
  kalshi: createKalshiReader,
  manifold: createManifoldReader,
}

type Read = { readonly payload: RecordedPayload; readonly records: VenueRecords }

function readAll(venue_id: VenueId, payloads: readonly RecordedPayload[]): Read[] {
  const reader = READERS[venue_id](endOf(SMALL))
  return payloads.map((payload) => {
    const { endpoint, request, received_at, body } = payload
    const text = { venue_id, endpoint, request, received_at, file: 'small', text: body }
    return { payload, records: reader.read(text) }
  })
}

type Recorded = {
  readonly payloads: readonly RecordedPayload[]
  readonly truth: VenueTruth
  readonly read: readonly Read[]
}

function record(venue_id: VenueId): Recorded {
  const { payloads, truth } = recordSmall(venue_id)
  return { payloads, truth, read: readAll(venue_id, payloads) }
}

const recorded: Readonly<Record<VenueId, Recorded>> = {
  polymarket: record('polymarket'),
  kalshi: record('kalshi'),
  manifold: record('manifold'),
}

const all = <K extends keyof VenueRecords>(venue_id: VenueId, kind: K) =>
  recorded[venue_id].read.flatMap(({ records }) => [...(records[kind] ?? [])]) as NonNullable<VenueRecords[K]>[number][]

describe.each(VENUES)('%s', (venue_id) => {
  test('every payload is read, and nothing of it is quarantined', () => {
    expect(all(venue_id, 'quarantine')).toEqual([])
    expect(all(venue_id, 'quotes').length).toBeGreaterThan(1_000)
    expect(all(venue_id, 'trades').length).toBeGreaterThan(100)
  })

  test('payloads come in the order in which they were received, none after the end', () => {
    const { payloads } = recorded[venue_id]
    const times = payloads.map(({ received_at }) => received_at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)!).toBeLessThan(endOf(SMALL))
  })

  test('nothing is received while the venue is down', () => {
    const { payloads, truth } = recorded[venue_id]
    expect(truth.outages.length).toBeGreaterThan(0)
    for (const outage of truth.outages) {
      const [from, to] = [toMicros(outage.from), toMicros(outage.to)]
      // What was asked before may still be under way for some seconds.
      const during = payloads.filter(({ received_at }) => received_at > from + 25 * SECOND && received_at < to)
      expect(during).toEqual([])
    }
  })

  test('each market is described, and has quotes while it is open', () => {
    const described = new Set(all(venue_id, 'references').map(({ source_market_id }) => source_market_id))
    const quoted = new Set(
      all(venue_id, 'quotes').map(({ source_market_id, outcome }) => `${source_market_id} ${outcome}`),
    )
    for (const { source_market_id, outcome } of recorded[venue_id].truth.markets) {
      expect(described).toContain(source_market_id)
      expect(quoted).toContain(`${source_market_id} ${outcome}`)
    }
  })
})

/** The last book that the stream built of each market's YES. */
function lastBooks(venue_id: VenueId) {
  const last = new Map<string, { bids: [string, string][]; asks: [string, string][] }>()
  for (const { records } of recorded[venue_id].read) {
    for (const { source_market_id, outcome, bids, asks } of records.books ?? []) {
      const levels = (list: typeof bids) => list.map(({ price, quantity }): [string, string] => [price, quantity])
      if (outcome === 'YES') last.set(source_market_id, { bids: levels(bids), asks: levels(asks) })
    }
  }
  return last
}

test.each(['polymarket', 'kalshi'] as const)(
  '%s: best prices of the rebuilt book end as they really were',
  (venue_id) => {
    const last = new Map<string, { bid: string | null; ask: string | null }>()
    for (const { payload, records } of recorded[venue_id].read) {
      if (!['ws market', 'ws orderbook_delta', 'ws orderbook_snapshot'].includes(payload.endpoint)) continue
      for (const { source_market_id, outcome, book } of records.quotes ?? []) {
        if (outcome === 'YES' && book !== null) last.set(source_market_id, { bid: book.bid, ask: book.ask })
      }
    }
    const padded = (price: string | undefined) => (price === undefined ? null : `${price}00000`)
    for (const { source_market_id, book } of recorded[venue_id].truth.markets) {
      expect(last.get(source_market_id)).toEqual({ bid: padded(book!.bids[0]?.[0]), ask: padded(book!.asks[0]?.[0]) })
    }
  },
)

test('kalshi: the whole rebuilt book of a market that trades to the end differs from the truth by its last minute at most', () => {
  const books = lastBooks('kalshi')
  const open = recorded.kalshi.truth.markets.filter(({ stage }) => stage === 'open')
  expect(open.length).toBeGreaterThan(3)
  for (const { source_market_id, book } of open) {
    const rebuilt = new Map(books.get(source_market_id)!.bids)
    const really = new Map(book!.bids.map(([price, size]) => [`${price}00000`, `${size}0000`]))
    const apart = [...new Set([...rebuilt.keys(), ...really.keys()])].filter(
      (price) => rebuilt.get(price) !== really.get(price),
    )
    expect(apart.length).toBeLessThanOrEqual(3)
  }
})

const statements = (venue_id: VenueId, { source_market_id }: MarketTruth) =>
  all(venue_id, 'resolutions').filter((record) => record.source_market_id === source_market_id)

const yesPays = ({ payouts }: ResolutionRecord, outcome: string) =>
  payouts.find((one) => one.outcome === outcome)?.payout

test.each(['polymarket', 'kalshi'] as const)('%s: final resolutions are those that really were', (venue_id) => {
  const ended = recorded[venue_id].truth.markets.filter(({ stage }) => stage === 'final')
  expect(new Set(ended.map(({ payout }) => payout))).toEqual(new Set(['1.0000', '0.0000', '0.5000']))
  for (const market of ended) {
    const finals = statements(venue_id, market).filter(({ finality }) => finality === 'final')
    expect(finals.length).toBeGreaterThan(0)
    expect(yesPays(finals.at(-1)!, 'YES')).toBe(`${market.payout}00000`)
  }
})

test('a disputed result appears as disputed before it is final', () => {
  for (const venue_id of ['polymarket', 'kalshi'] as const) {
    const disputed = recorded[venue_id].truth.markets.filter(({ was_disputed }) => was_disputed)
    expect(disputed.length).toBeGreaterThan(0)
    for (const market of disputed) {
      const states = statements(venue_id, market).map(({ finality }) => finality)
      expect(states).toContain('final')
      expect(states.filter((state) => state !== 'final').length).toBeGreaterThan(0)
    }
  }
})

test('manifold: a result that is overturned is withdrawn and stated anew', () => {
  const ended = recorded.manifold.truth.markets.filter(({ fate, stage }) => fate === 'overturned' && stage === 'final')
  const overturned = ended.filter(({ proposed_payout, payout }) => proposed_payout !== payout)
  expect(overturned.length).toBeGreaterThan(0)
  for (const market of overturned) {
    expect(statements('manifold', market).map(({ finality }) => finality)).toContain('withdrawn')
    const finals = statements('manifold', market).filter(({ finality }) => finality === 'final')
    expect(yesPays(finals[0]!, market.outcome)).not.toBe(yesPays(finals.at(-1)!, market.outcome))
    expect(yesPays(finals.at(-1)!, market.outcome)).toBe(`${market.payout}00000`)
  }
})

test('manifold: a voided market is voided, and pays nothing out', () => {
  const voided = recorded.manifold.truth.markets.filter(({ fate, stage }) => fate === 'voided' && stage === 'final')
  expect(voided.length).toBeGreaterThan(0)
  const statuses = all('manifold', 'references')
  for (const { source_market_id } of voided) {
    expect(statuses.findLast((one) => one.source_market_id === source_market_id)?.status).toBe('voided')
  }
})

test('kalshi: an amended trade comes again with its id and another quantity', () => {
  const { truth } = recorded.kalshi
  expect(truth.trades.amended).toBeGreaterThan(0)
  const quantities = new Map<string, Set<string>>()
  for (const { source_trade_id, quantity } of all('kalshi', 'trades')) {
    quantities.set(source_trade_id, (quantities.get(source_trade_id) ?? new Set()).add(quantity))
  }
  const revised = [...quantities.values()].filter(({ size }) => size > 1)
  expect(revised.length).toBeGreaterThan(0)
  expect(revised.length).toBeLessThanOrEqual(truth.trades.amended)
})

test('past prices that were shown wrong are read again, corrected', () => {
  for (const [venue_id, endpoint] of [
    ['polymarket', 'GET /prices-history'],
    ['kalshi', 'GET /series/{series_ticker}/markets/{ticker}/candlesticks'],
  ] as const) {
    const values = new Map<string, Set<string>>()
    for (const { payload, records } of recorded[venue_id].read) {
      if (payload.endpoint !== endpoint) continue
      for (const { source_market_id, outcome, source_at, reported_probability, book } of records.quotes ?? []) {
        const key = `${source_market_id} ${outcome} ${source_at}`
        values.set(key, (values.get(key) ?? new Set()).add(`${reported_probability} ${book?.ask}`))
      }
    }
    expect([...values.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(0)
  }
})

test('a trade that is reported late is on a page after one that should have had it', () => {
  expect(recorded.kalshi.truth.trades.late).toBeGreaterThan(0)
  const pages = recorded.kalshi.payloads.filter(({ endpoint }) => endpoint === 'GET /markets/trades')
  const seen = new Set<string>()
  const late: string[] = []
  let last_read = Number.POSITIVE_INFINITY
  for (const { body, received_at } of pages) {
    const { trades } = JSON.parse(body) as { trades: { trade_id: string; created_time: string }[] }
    for (const { trade_id, created_time } of trades) {
      const is_older = toMicros(created_time.replace(/\.\d+/, '')) < last_read - 30 * SECOND
      if (!seen.has(trade_id) && is_older && last_read !== Number.POSITIVE_INFINITY) late.push(trade_id)
      seen.add(trade_id)
    }
    last_read = received_at
  }
  expect(late.length).toBeGreaterThan(0)
})

test('some answers take seconds', () => {
  const delays = recorded.polymarket.payloads
    .filter(({ endpoint }) => endpoint === 'GET /book')
    .map(({ received_at, body }) => received_at - Number(/"timestamp":"(\d+)"/.exec(body)![1]) * 1_000)
  expect(delays.filter((delay) => delay > 0)).toHaveLength(delays.length)
  const hour = 3_600 * SECOND
  const slow = recorded.polymarket.payloads.filter(
    ({ request, received_at }) =>
      request !== null && (received_at - START) % hour > 2 * SECOND && (received_at - START) % hour < 25 * SECOND,
  )
  expect(slow.length).toBeGreaterThan(0)
})

test('polymarket: near 0 and 1 the tick becomes finer, and a whole book with the new tick follows', () => {
  const messages = recorded.polymarket.payloads
    .filter(({ endpoint }) => endpoint === 'ws market')
    .map(({ body }) => JSON.parse(body) as Record<string, string>)
  const changes = messages.flatMap((message, place) =>
    message.event_type === 'tick_size_change' ? [{ message, place }] : [],
  )
  expect(changes.length).toBeGreaterThan(0)
  for (const { message, place } of changes) {
    expect(message).toMatchObject({ old_tick_size: '0.01', new_tick_size: '0.001' })
    const next = messages.slice(place + 1).find(({ asset_id }) => asset_id === message.asset_id)
    expect(next).toMatchObject({ event_type: 'book', tick_size: '0.001' })
  }
})

test('some messages are sent twice, and the second one changes nothing', () => {
  const bodies = recorded.polymarket.payloads.filter(({ endpoint }) => endpoint === 'ws market').map(({ body }) => body)
  const twice = bodies.filter((body, place) => place > 0 && body === bodies[place - 1])
  expect(twice.length).toBeGreaterThan(0)
  expect(twice.every((body) => body.includes('price_change'))).toBe(true)
})
