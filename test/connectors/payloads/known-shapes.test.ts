import { expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import { endpointOfShape } from '../../../connectors/archives/payloads/recogniser.ts'
import { ACCEPTED } from '../../../connectors/archives/payloads/recorded-form.ts'
import type { PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { NOW } from '../../support/venue-payload.ts'

/** One value may have several of the shapes of the tables: their order decides, within a venue and between venues. */

/** Endpoints of every recorded payload, with the number of payloads. Kalshi's are named by their recorder. */
const RECORDED = [
  ['usgs', 'usgs_geojson', { 'GET /earthquakes/feed/v1.0/summary': 1 }],
  ['betfair', 'betfair_stream', { 'stream mcm': 19_175, listMarketCatalogue: 1 }],
  ['manifold', 'manifold_docs', { 'GET /v0/bets': 1, 'GET /v0/markets': 1, 'GET /v0/market-probs': 1 }],
  ['gdacs', 'gdacs_rss', { 'GET /xml/rss.xml': 3 }],
  ['predictit', 'predictit_api', { 'GET /api/marketdata/markets/{id}': 1 }],
] as const

test.each(RECORDED)(
  'every recorded payload of %s is known as before, among all venues',
  async (venue_id, dir, expected) => {
    const { found, strange } = await endpointsOf(dir)
    expect([strange, found]).toEqual([0, countsOf(venue_id, expected)])
  },
)

test('the answers of Kalshi, which their recorder names, have the same endpoint by their shape', async () => {
  const archive = await openPayloadArchive('kalshi', recordedData('kalshi_v2_recorded'), NOW)
  const by_shape: [string, string | null][] = []
  for await (const { payloads } of archive.batches()) {
    for (const { endpoint, text } of payloads)
      by_shape.push([endpoint, endpointOfShape(ACCEPTED.kalshi, JSON.parse(text))])
  }
  const shown = by_shape.filter(([, endpoint]) => endpoint !== null)
  expect([by_shape.length, shown.length]).toEqual([21, 12])
  // The same answer as of another request: only its name tells them apart.
  const differing = shown.filter(([named, endpoint]) => endpoint !== named)
  expect(differing).toEqual([['GET /events/multivariate', 'GET /events']])
})

const BOOK = { event_type: 'book', asset_id: '1', bids: [] }
const TRADE = { transactionHash: '0x', price: '0.4', size: '1' }
const ORDER = { event_type: 'order' }
const FILL = { type: 'fill', sid: 1, msg: {} }

test.each<[venue_id: PayloadVenue, what: string, value: unknown, endpoint: string | null]>([
  ['polymarket', 'a book message is no answer of books', [BOOK], 'ws market'],
  ['polymarket', 'messages in a field are in a wrapper', { data: [BOOK] }, null],
  ['polymarket', 'a page of books', { data: [{ asset_id: '1', bids: [] }] }, 'POST /books'],
  ['polymarket', 'a message about an account', { ...ORDER, price_changes: [] }, 'ws user'],
  ['polymarket', 'messages about an account in a field', { data: [ORDER] }, 'ws user'],
  ['polymarket', 'one trade', TRADE, 'GET /trades'],
  ['polymarket', 'a subscription', { assets_ids: ['1'], type: 'market' }, 'ws market'],
  ['polymarket', 'an event with markets is no page', { title: 'E', markets: [] }, 'GET /events/{id}'],
  ['kalshi', 'a fill is about an account', FILL, 'ws fill'],
  ['kalshi', 'fills in a list are read one by one', [FILL], null],
  ['kalshi', 'one trade', { trade_id: 'a', ticker: 'T' }, 'GET /markets/trades'],
  [
    'kalshi',
    'a trade that names its event',
    [{ trade_id: 'a', ticker: 'T', event_ticker: 'E' }],
    'GET /markets/trades',
  ],
  ['kalshi', 'a market is no event', [{ ticker: 'T', event_ticker: 'E', title: 'Q' }], 'GET /markets'],
  ['betfair', 'a catalogue with an op', { marketId: '1.1', op: 'mcm' }, 'listMarketCatalogue'],
  ['betfair', 'a market book with an op', { marketId: '1.1', op: 'mcm', status: 'OPEN' }, null],
  ['manifold', 'a comment', { contractId: 'c', text: 'x' }, null],
  ['usgs', 'a feature of another feed', { properties: { alertlevel: 'Green' } }, null],
  ['gdacs', 'a feed that is cut off', '<rss><channel>', null],
])('%s: %s', (venue_id, _what, value, endpoint) => {
  expect(endpointOfShape(ACCEPTED[venue_id], value)).toBe(endpoint)
})

async function endpointsOf(dir: string) {
  const archive = await openPayloadArchive('payloads', recordedData(dir), NOW)
  const found: Record<string, number> = {}
  let strange = archive.quarantine.length
  for await (const { payloads, quarantine } of archive.batches()) {
    strange += quarantine.length
    for (const { venue_id, endpoint } of payloads) {
      const name = `${venue_id} ${endpoint}`
      found[name] = (found[name] ?? 0) + 1
    }
  }
  return { found, strange }
}

function countsOf(venue_id: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([endpoint, count]) => [`${venue_id} ${endpoint}`, count]))
}
