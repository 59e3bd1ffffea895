import { expect, test } from 'vitest'
import type { PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import type { VenueRecords } from '../../../pipelines/venues/record.ts'
import { VENUE_READERS } from '../../../pipelines/venues/venue-readers.ts'
import { NOW, venuePayload } from '../../support/venue-payload.ts'
import { MARKET } from './kalshi/payloads.ts'
import { gammaMarket, upDownMarket } from './polymarket/support/payloads.ts'

/** P7 and feeds of different windows: what a later answer leaves out has not ended, closed or been taken back. */

const manifoldMarket = (id: string) => ({
  id,
  question: `Will ${id} happen?`,
  url: `https://manifold.markets/someone/${id}`,
  createdTime: 1_767_225_600_000,
  closeTime: 1_798_761_600_000,
  probability: 0.5,
  outcomeType: 'BINARY',
  isResolved: false,
  lastBetTime: 1_790_000_000_000,
})

const contract = (id: number) => ({ id, name: `${id}`, shortName: `${id}`, status: 'Open', bestSellYesCost: 0.5 })
const predictit = (...contracts: object[]) => ({
  id: 1,
  name: 'Who wins?',
  url: 'https://www.predictit.org/markets/detail/1',
  timeStamp: '2026-09-30T12:00:00',
  status: 'Open',
  contracts,
})

const quake = (id: string) => ({
  type: 'Feature',
  id,
  properties: {
    mag: 6,
    time: 1_790_000_000_000,
    updated: 1_790_000_600_000,
    title: id,
    type: 'earthquake',
    alert: null,
  },
})

const item = (id: string) => `<item><title>${id}</title><pubDate>Wed, 30 Sep 2026 12:00:00 GMT</pubDate>
  <gdacs:fromdate>Wed, 30 Sep 2026 11:00:00 GMT</gdacs:fromdate><gdacs:eventtype>EQ</gdacs:eventtype>
  <gdacs:eventid>${id}</gdacs:eventid><gdacs:alertlevel>Green</gdacs:alertlevel></item>`
const rss = (...ids: string[]) => `<rss><channel><title>GDACS</title>${ids.map(item).join('')}</channel></rss>`

/** venue, endpoint, an answer with two, a later one with the second alone, how the first is named. */
const CASES: readonly (readonly [PayloadVenue, string, unknown, unknown, string])[] = [
  ['kalshi', 'GET /markets', { markets: [{ ...MARKET, ticker: 'A-1' }, MARKET] }, { markets: [MARKET] }, 'A-1'],
  [
    'polymarket',
    'GET /markets',
    [gammaMarket({ conditionId: `0x${'a'.repeat(64)}` }), upDownMarket()],
    [upDownMarket()],
    `0x${'a'.repeat(64)}`,
  ],
  ['manifold', 'GET /v0/markets', [manifoldMarket('a'), manifoldMarket('b')], [manifoldMarket('b')], 'a'],
  ['predictit', 'GET /api/marketdata/markets/{id}', predictit(contract(7), contract(8)), predictit(contract(8)), '7'],
  [
    'usgs',
    'GET /earthquakes/feed/v1.0/summary',
    { type: 'FeatureCollection', features: [quake('a'), quake('b')] },
    { type: 'FeatureCollection', features: [quake('b')] },
    'a',
  ],
  ['gdacs', 'GET /xml/rss.xml', rss('1', '2'), rss('2'), 'EQ1'],
]

/** The names of the markets or hazards that records speak of, each once. */
function named({ quotes = [], references = [], resolutions = [], hazards = [] }: VenueRecords): string[] {
  const markets = [...quotes, ...references, ...resolutions].map(({ source_market_id }) => source_market_id)
  return [...new Set([...markets, ...hazards.map(({ source_event_id }) => source_event_id)])]
}

test.each(CASES)(
  '%s %s: a later answer says nothing of what it leaves out',
  (venue, endpoint, both, later, missing) => {
    const reader = VENUE_READERS[venue].create_reader(NOW)
    const first = reader.read(venuePayload(venue, endpoint, both, '2026-10-01T12:00:00Z'))
    expect(first.quarantine ?? []).toEqual([])
    expect(named(first)).toContain(missing)
    expect(named(first)).toHaveLength(2)
    const second = reader.read(venuePayload(venue, endpoint, later, '2026-10-01T13:00:00Z'))
    expect(second.quarantine ?? []).toEqual([])
    expect(named(second)).toEqual(named(first).filter((name) => name !== missing))
    expect(named(reader.finish?.() ?? {})).not.toContain(missing)
  },
)
