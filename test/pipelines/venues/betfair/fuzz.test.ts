import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createBetfairReader } from '../../../../pipelines/venues/betfair/betfair-reader.ts'
import type { BookRecord, VenuePayload, VenueReader, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { Decimal, sumDecimals } from '../../../../primitives/decimal.ts'
import { fuzzReader } from '../../../support/fuzz-reader.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { NOW } from '../../../support/venue-payload.ts'
import { allOf, change, definition, image, line } from './messages.ts'

const CATALOGUE = {
  marketId: '1.1',
  marketName: 'OR 280m',
  description: { marketType: 'WIN', turnInPlayEnabled: false, suspendTime: '2026-03-01T13:00:00.000Z', rules: 'Any.' },
  event: { id: '900', name: 'Sheffield' },
  eventType: { id: '4339', name: 'Greyhounds' },
  runners: [
    { selectionId: 11, runnerName: 'One', handicap: 0.0 },
    { selectionId: 12, runnerName: 'Two', handicap: 0.0 },
  ],
}
const SETTLED = { status: 'CLOSED', settledTime: '2026-03-01T12:00:31.000Z' }

const payloads: readonly VenuePayload[] = [
  image(10),
  change(20, { rc: [{ id: 11, atb: [[2, 0], [1.99, 2.5]], ltp: 2.02, tv: 13.5 }, { id: 13, atl: [[6, 3]] }] }), // biome-ignore format: as the venue writes them
  change(30, { marketDefinition: definition({ status: 'SUSPENDED', inPlay: true }) }),
  change(40, { marketDefinition: definition(SETTLED, { 11: 'LOSER', 12: 'WINNER', 13: 'REMOVED' }) }),
  { ...line(50, CATALOGUE), endpoint: 'listMarketCatalogue' },
  ...recordedLines(),
]

/** Short lines of a real market: its first image, changes, and its end. */
function recordedLines(): VenuePayload[] {
  const folder = recordedData('betfair_stream')
  const file = '1.200806927.jsonl.gz'
  const lines = gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  return [0, 1, 2, 3, 500, 9_000, lines.length - 2, lines.length - 1].map((n) => {
    return { ...line(0, lines[n]!), received_at: JSON.parse(lines[n]!).pt * 1000, file }
  })
}

/** A reader in the middle of a market: before each payload it has an image, after it comes an unhurt change. */
function createReader(): VenueReader {
  const reader = createBetfairReader(NOW)
  reader.read(image(0))
  const after = change(600, { rc: [{ id: 12, atb: [[4, 8]] }] })
  return { read: (payload) => allOf([reader.read(payload), reader.read(after), reader.finish()]) }
}

const CASES = sized(500, 15_000)

test(`${CASES} mutated payloads: nothing is thrown, and no price, time or zero that cannot be`, () => {
  const counts = fuzzReader(payloads, createReader, CASES, SEED, (records) => {
    records.books?.forEach(expectOddsBook)
    expectPublishedOverround(records)
    for (const { finality, payouts } of records.resolutions ?? []) {
      const total = sumDecimals(payouts.map(({ payout }) => new Decimal(payout))).toFixed()
      if (total !== (finality === 'final' ? '1' : '0')) expect.fail(`${finality} pays ${total}`)
    }
  })
  expect(counts.read).toBeGreaterThan(CASES / 5)
  expect(counts.refused).toBeGreaterThan(CASES / 5)
})

function expectOddsBook({ bids, asks, price_unit }: BookRecord): void {
  if (price_unit !== 'decimal_odds') expect.fail(`odds as ${price_unit}`)
  for (const { price, quantity } of [...bids, ...asks]) {
    const odds = new Decimal(price)
    if (odds.lt('1.01') || odds.gt(1000) || !new Decimal(quantity).gt(0)) expect.fail(`${quantity} at ${price}`)
  }
  const sorted = (side: BookRecord['bids'], sign: number) =>
    side.every(({ price }, n) => n === 0 || sign * new Decimal(price).cmp(side[n - 1]!.price) > 0)
  if (!sorted(bids, -1) || !sorted(asks, 1)) expect.fail('levels are not in order')
}

/** Every probability has its book of the same instant, with the overround. */
function expectPublishedOverround({ quotes = [], books = [] }: VenueRecords): void {
  for (const { source_market_id, outcome, source_at } of quotes) {
    const book = books.find((b) => {
      return b.source_market_id === source_market_id && b.outcome === outcome && b.source_at === source_at
    })
    if (book === undefined || book.overround === null) expect.fail(`no overround beside ${outcome}`)
  }
}
