import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { PayloadItem } from '../../../connectors/archives/payloads/payload-item.ts'
import { createGdacsConnector, createUsgsConnector } from '../../../connectors/venues/hazard-feeds.ts'
import { createKalshiConnector } from '../../../connectors/venues/kalshi/kalshi-connector.ts'
import { tieredRange } from '../../../connectors/venues/kalshi/ranges.ts'
import { createPolymarketConnector } from '../../../connectors/venues/polymarket/polymarket-connector.ts'
import { readAll, type VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { createGdacsReader } from '../../../pipelines/venues/gdacs/gdacs-reader.ts'
import { createUsgsReader } from '../../../pipelines/venues/usgs/usgs-reader.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { startSimulatorServer } from '../../../simulator/server/start-simulator-server.ts'
import { MINUTE, START, smallVenue } from '../../simulator/support/small-world.ts'
import { scriptedFaults } from '../../support/scripted-faults.ts'
import { answer, serveAnswers } from '../http/http-server.ts'
import { connectorOf, until } from './served-world.ts'

const AT = toMicros('2026-01-05T10:00:00Z')
const OPTIONS = { now: () => AT, limits: [], http: { backoff_first_ms: 1, backoff_max_ms: 2, attempts_max: 2 } }
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function serve(answers: readonly (readonly [status: number, body: string])[]) {
  const server = await serveAnswers(...answers.map(([status, body]) => answer(status, body)))
  running.push(server)
  return server
}

/** A websocket that sends one message to each subscription. */
async function serveMessage(text: string): Promise<{ readonly url: string }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) => socket.once('message', () => socket.send(text)))
  running.push({ close: async () => void server.close() })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/market` }
}

async function all(items: AsyncIterable<PayloadItem>): Promise<PayloadItem[]> {
  const found: PayloadItem[] = []
  for await (const item of items) found.push(item)
  return found
}

const opened = <T extends VenueConnector>(connector: T): T => {
  running.unshift(connector)
  return connector
}

describe('feeds', () => {
  test('usgs: one document, which its reader reads', async () => {
    const server = await serve([[200, '{"type":"FeatureCollection","features":[]}']])
    const connector = opened(createUsgsConnector(OPTIONS, server.base_url))
    const [item, ...rest] = await all(readAll(connector, { from: AT, to: null }))
    expect(server.asked).toEqual(['/earthquakes/feed/v1.0/summary/all_week.geojson'])
    expect(rest).toEqual([])
    expect('payload' in item! && createUsgsReader(AT).read(item.payload)).toEqual({ outcomes: ['NO_RECORDS'] })
  })

  test('gdacs: one RSS document, which its reader reads', async () => {
    const server = await serve([[200, '<?xml version="1.0"?><rss><channel><title>GDACS</title></channel></rss>']])
    const connector = opened(createGdacsConnector(OPTIONS, server.base_url))
    const [item] = await all(connector.read('catalogue', { from: AT, to: null }))
    expect(server.asked).toEqual(['/xml/rss.xml'])
    expect('payload' in item! && createGdacsReader(AT).read(item.payload).quarantine).toBeUndefined()
    expect([connector.parts, connector.openStreams()]).toEqual([['catalogue'], []])
  })
})

describe('a feed that is asked for again', () => {
  test('says which version is known; one that is unchanged gives nothing, and is confirmed', async () => {
    const asked: (string | undefined)[] = []
    const body = '{"type":"FeatureCollection","features":[]}'
    const server = await serveAnswers((request, response) => {
      asked.push(request.headers['if-none-match'])
      const same = request.headers['if-none-match'] === '"v1"'
      response.writeHead(same ? 304 : 200, { etag: '"v1"' }).end(same ? undefined : body)
    })
    running.push(server)
    let now = AT
    const connector = opened(createUsgsConnector({ ...OPTIONS, now: () => now }, server.base_url))
    expect(connector.confirmed_at).toBeNull()
    const range = { from: AT, to: null }
    expect(await all(connector.read('catalogue', range))).toHaveLength(1)
    now += 60_000_000
    expect(await all(connector.read('catalogue', range))).toEqual([])
    expect(asked).toEqual([undefined, '"v1"'])
    expect(connector.confirmed_at).toBe(now)
  })

  test('is not led to another host', async () => {
    const server = await serveAnswers((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end()
    })
    running.push(server)
    const connector = opened(createGdacsConnector(OPTIONS, server.base_url))
    await expect(all(connector.read('catalogue', { from: AT, to: null }))).rejects.toMatchObject({
      code: 'VENUE_ANSWER_REFUSED',
      message: 'gdacs /xml/rss.xml redirects (302), which is not followed',
    })
    expect(server.asked).toHaveLength(1)
  })
})

describe('kalshi', () => {
  const cutoff = JSON.stringify({
    market_settled_ts: '2026-01-05T00:00:00Z',
    trades_created_ts: '2026-01-05T00:00:00Z',
    orders_updated_ts: '2026-01-05T00:00:00Z',
  })
  const page = (cursor: string) => [200, JSON.stringify({ cursor, trades: [] })] as const
  const seconds = (text: string) => String(toMicros(text) / 1_000_000)

  test('a range that begins before the cutoff is read from both tiers, each up to its last page', async () => {
    const server = await serve([[200, cutoff], page('next'), page(''), page(''), [200, cutoff]])
    const connector = opened(
      createKalshiConnector(OPTIONS, { rest: `${server.base_url}/v2`, stream: 'wss://x.example' }),
    )
    const range = { from: toMicros('2026-01-04T00:00:00Z'), to: toMicros('2026-01-05T06:00:00Z') }
    expect(await all(connector.read('trades', range))).toHaveLength(5)
    const [from, turn, to] = ['2026-01-04T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-05T06:00:00Z'].map(seconds)
    expect(server.asked).toEqual([
      '/v2/historical/cutoff',
      `/v2/historical/trades?limit=1000&min_ts=${from}&max_ts=${turn}`,
      `/v2/historical/trades?limit=1000&min_ts=${from}&max_ts=${turn}&cursor=next`,
      `/v2/markets/trades?limit=1000&min_ts=${turn}&max_ts=${to}`,
      // The range begins at the cutoff, which may have moved meanwhile.
      '/v2/historical/cutoff',
    ])
  })

  test.each([
    ['before', 10, 20, 20, { historical: { from: 10, to: 20 }, live: null }],
    ['across', 10, 21, 20, { historical: { from: 10, to: 20 }, live: { from: 20, to: 21 } }],
    ['from the cutoff on', 20, 21, 20, { historical: null, live: { from: 20, to: 21 } }],
    ['open end', 10, null, 20, { historical: { from: 10, to: 20 }, live: { from: 20, to: null } }],
    ['no cutoff known', 10, null, null, { historical: null, live: { from: 10, to: null } }],
  ] as const)('%s', (_name, from, to, at, expected) => {
    expect(tieredRange({ from, to }, at)).toEqual(expected)
  })

  test('a message that is missing makes the stream begin anew with whole books', async () => {
    const faults = scriptedFaults()
    const clock = createSimulatedClock(START)
    const venue = smallVenue('kalshi', { markets: 6, interval: MINUTE })
    const server = await startSimulatorServer({ venue, clock, faults, limits: [] })
    running.push(server)
    const options = { ...OPTIONS, now: () => clock.now(), stream: { backoff_first_ms: 1, backoff_max_ms: 5 } }
    const connector = opened(connectorOf('kalshi', server, options))
    await all(connector.read('catalogue', { from: START, to: null }))
    clock.advanceTo(START + MINUTE)
    const [stream] = connector.openStreams()
    await until(() => stream!.state === 'open')
    await stream!.confirm()
    const opening = endpointsOf(stream!.take())
    expect(new Set(opening)).toEqual(new Set(['ws', 'ws orderbook_snapshot']))
    faults.nextMessage({ kind: 'drop' })
    for (let n = 2; stream!.connections === 1 && n < 60; n += 1) {
      clock.advanceTo(START + n * MINUTE)
      await stream!.confirm()
    }
    await until(() => stream!.connections === 2 && stream!.state === 'open')
    await stream!.confirm()
    expect(stream!.last_end).toContain('messages are missing')
    const after = endpointsOf(stream!.take())
    expect(after.slice(after.lastIndexOf('ws'))).toContain('ws orderbook_snapshot')
  })
})

function endpointsOf(items: readonly PayloadItem[]): string[] {
  return items.map((item) => ('payload' in item ? item.payload.endpoint : item.quarantined.reason))
}

describe('polymarket', () => {
  const addresses = (base_url: string) => ({
    gamma: base_url,
    clob: base_url,
    data: base_url,
    stream: 'wss://x.example',
  })
  const market = (id: string) => ({
    conditionId: id,
    clobTokenIds: `["${id}1", "${id}2"]`,
    acceptingOrders: true,
    closed: false,
  })

  test('a book that is not there leaves the others to be read', async () => {
    const list = JSON.stringify([market('a'), market('b')])
    const server = await serve([
      [200, list],
      [200, '{}'],
      [404, '{}'],
      [200, '{}'],
      [200, '{}'],
    ])
    const connector = opened(createPolymarketConnector(OPTIONS, addresses(server.base_url)))
    expect(await all(connector.read('markets', { from: AT, to: null }))).toHaveLength(4)
    expect(server.asked.slice(1)).toEqual(['a1', 'a2', 'b1', 'b2'].map((token) => `/book?token_id=${token}`))
  })

  test('the book of a token without messages for 20 s is read again, and no other', async () => {
    const stream = await serveMessage('{"event_type":"price_change","price_changes":[{"asset_id":"11","price":"0.5"}]}')
    const list = JSON.stringify([market('1'), { ...market('2'), closed: true }])
    const server = await serve([[200, list], ...Array.from({ length: 9 }, () => [200, '{}'] as const)])
    let now = AT
    const connector = opened(
      createPolymarketConnector({ ...OPTIONS, now: () => now }, { ...addresses(server.base_url), stream: stream.url }),
    )
    const quiet = async (seconds: number) => {
      now = AT + seconds * 1_000_000
      const before = server.asked.length
      await all(connector.read('quiet_books', { from: AT, to: null }))
      return server.asked.slice(before)
    }
    await all(connector.read('markets', { from: AT, to: null }))
    expect(await quiet(19)).toEqual([])
    const [open] = connector.openStreams()
    await until(() => open!.state === 'open')
    await open!.confirm()
    expect(open!.take()).toHaveLength(1)
    expect(await quiet(20)).toEqual(['/book?token_id=12'])
    expect(await quiet(39)).toEqual(['/book?token_id=11'])
    expect(await quiet(40)).toEqual(['/book?token_id=12'])
  })

  test('a page that stays unreadable is kept each time, and ends the list', async () => {
    const server = await serve([[200, '[{"conditionId"']])
    const connector = opened(createPolymarketConnector(OPTIONS, addresses(server.base_url)))
    const kept: PayloadItem[] = []
    const reading = (async () => {
      for await (const item of connector.read('markets', { from: AT, to: null })) kept.push(item)
    })()
    await expect(reading).rejects.toMatchObject({
      code: 'VENUE_ANSWER_REFUSED',
      message: 'polymarket /markets?limit=100&offset=0 sends a page that cannot be read',
    })
    expect(kept).toHaveLength(3)
  })

  test('names of tokens cannot lead a request elsewhere', async () => {
    const odd = { ...market('a'), clobTokenIds: '["//evil.example/?x=1&y", "../../up"]' }
    const server = await serve([
      [200, JSON.stringify([odd])],
      [404, ''],
    ])
    const connector = opened(createPolymarketConnector(OPTIONS, addresses(server.base_url)))
    await all(connector.read('markets', { from: AT, to: null }))
    expect(server.asked.slice(1)).toEqual([
      '/book?token_id=%2F%2Fevil.example%2F%3Fx%3D1%26y',
      '/book?token_id=..%2F..%2Fup',
    ])
  })

  test('accounts beside trades are not kept', async () => {
    const trade = { proxy_wallet: '0xabc', name: 'someone', side: 'BUY', token_id: '1', timestamp: 1 }
    const body = { data: [trade], pagination: { limit: 500, offset: 0, has_more: false } }
    const server = await serve([[200, JSON.stringify(body)]])
    const connector = opened(createPolymarketConnector(OPTIONS, addresses(server.base_url)))
    const [item] = await all(connector.read('trades', { from: AT, to: null }))
    const text = 'payload' in item! ? item.payload.text : ''
    expect(text).toContain('"token_id":"1"')
    expect(text).not.toMatch(/0xabc|someone/)
  })
})
