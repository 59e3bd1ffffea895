import { expect, test } from 'vitest'
import { ownMarketOf } from '../../../api/own-venue/own-market-of.ts'
import type { OwnVenue } from '../../../api/own-venue/own-venue.ts'
import type { Catalog } from '../../../warehouse/reader/reader.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const rows: Readonly<Record<string, string>> = { mkt_ours: 'tidemark', mkt_theirs: 'polymarket' }
const market: Catalog['market'] = (market_id) =>
  rows[market_id] === undefined ? null : { market_id, venue_mapping: { venue_id: rows[market_id] } }
const { catalog } = fakeReader({ catalog: { market } })
const venue = (phase: 'starting' | 'ready'): OwnVenue => ({
  phase: () => phase,
  market: () => null,
  markets: () => [],
  listing: () => null,
  confirmed_at: () => 0,
  published_at: () => 0,
  marketAt: async () => null,
  statesAt: async () => new Map(),
  feed: fakeReader().feed,
  reads: { trades: async () => [] },
  tradeChain: async () => [],
  close: async () => undefined,
})

test('until the books were read, a market that is ours or may be is answered with 503, and another venue’s by the warehouse', () => {
  const origins = { own_venue: venue('starting'), catalog }
  expect(ownMarketOf(origins, 'mkt_theirs')).toBeNull()
  for (const market_id of ['mkt_ours', 'mkt_unknown']) {
    expect(() => ownMarketOf(origins, market_id)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }))
  }
})

test.each([
  ['a process that follows no engine', null],
  ['one whose engine does not list the market', venue('ready')],
])('%s leaves every market to the warehouse', (_name, own_venue) => {
  for (const market_id of ['mkt_ours', 'mkt_theirs', 'mkt_unknown']) {
    expect(ownMarketOf({ own_venue, catalog }, market_id)).toBeNull()
  }
})
