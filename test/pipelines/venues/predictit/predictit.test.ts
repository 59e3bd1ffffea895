import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPredictitReader } from '../../../../pipelines/venues/predictit/predictit-reader.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { fuzzReader } from '../../../support/fuzz-reader.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { NOW, recordsOf, venuePayload } from '../../../support/venue-payload.ts'

const READ_AT = '2024-05-13T16:06:47Z'
const CONTRACT = {
  id: 4390,
  dateEnd: 'N/A',
  name: 'Democratic',
  shortName: 'Dem.',
  status: 'Open',
  lastTradePrice: 0.56,
  bestBuyYesCost: 0.56,
  bestBuyNoCost: 0.46,
  bestSellYesCost: 0.54,
  bestSellNoCost: 0.44,
  lastClosePrice: 0.55,
  displayOrder: 0,
}
const MARKET = {
  id: 2721,
  name: 'Which party wins?',
  url: 'https://www.predictit.org/markets/detail/2721/Which-party',
  contracts: [CONTRACT],
  timeStamp: '2024-05-13T12:06:16',
  status: 'Open',
}

const read = (endpoint: string, body: unknown, received_at = READ_AT) =>
  recordsOf(createPredictitReader(NOW).read(venuePayload('predictit', endpoint, body, received_at)))
const readMarket = (body: unknown, received_at = READ_AT) => read('GET /api/marketdata/markets/{id}', body, received_at)
const readContract = (fields: object) => readMarket({ ...MARKET, contracts: [{ ...CONTRACT, ...fields }] })

const [YES, NO] = [0, 1]

describe('a contract', () => {
  test('is a market of its own: buying costs the ask and selling brings the bid, of YES and of NO', () => {
    const { quotes } = readContract({})
    expect(
      quotes!.map(({ source_market_id, outcome, book }) => [source_market_id, outcome, book!.bid, book!.ask]),
    ).toEqual([
      ['4390', 'YES', '0.540000000', '0.560000000'],
      ['4390', 'NO', '0.440000000', '0.460000000'],
    ])
  })

  test('shows prices of orders, no probability, no depth, and a last trade without a time, which is left out', () => {
    const [quote] = readContract({}).quotes!
    expect(quote).toMatchObject({
      reported_probability: null,
      raw_value: null,
      book: { bid_depth: null, last_trade: null },
    })
  })

  test.each([[null], [undefined], [0], [1], ['0.00'], ['1.00']])(
    'a cost of %j is no order, never a price (P1)',
    (bestSellYesCost) => {
      const { quotes } = readContract({ bestSellYesCost })
      expect(quotes![YES]!.book).toMatchObject({ bid: null, ask: '0.560000000' })
    },
  )

  test('NO is what the venue says of NO: nothing is derived from YES, and two asks may sum above 1 (P2)', () => {
    const { quotes } = readContract({ bestBuyNoCost: null, bestSellNoCost: null })
    expect(quotes![NO]!.book).toMatchObject({ bid: null, ask: null })
    const both = readContract({ bestBuyYesCost: 0.99, bestBuyNoCost: 0.99 }).quotes!
    expect(both.map(({ book }) => book!.ask)).toEqual(['0.990000000', '0.990000000'])
  })

  test('a price off the cents grid is still a price (P8), and float artifacts are rounded from their text (P9)', () => {
    expect(
      readContract({ bestSellYesCost: 0.5455, bestBuyYesCost: 0.5600000000000001 }).quotes![YES]!.book,
    ).toMatchObject({
      bid: '0.545500000',
      ask: '0.560000000',
    })
  })

  test('best yes costs of a market need not sum to 1: each contract keeps its own', () => {
    const contracts = [CONTRACT, { ...CONTRACT, id: 4389, bestBuyYesCost: 0.48 }]
    const asks = readMarket({ ...MARKET, contracts }).quotes!.filter(({ outcome }) => outcome === 'YES')
    expect(asks.map(({ book }) => book!.ask)).toEqual(['0.560000000', '0.480000000'])
  })

  test('belongs to the event of its market', () => {
    expect(readContract({}).references).toMatchObject([
      {
        source_event_id: '2721',
        source_market_id: '4390',
        title: 'Democratic',
        event_title: 'Which party wins?',
        outcomes: ['YES', 'NO'],
        status: 'open',
      },
    ])
  })

  test.each([
    ['N/A', null],
    [null, null],
    ['2024-11-05T23:59:00', '2024-11-06T04:59:00Z'],
    ['9999-12-31T00:00:00', null],
  ])('dateEnd %j is the close time %j', (dateEnd, closes_at) => {
    const [reference] = readContract({ dateEnd }).references!
    expect(reference!.closes_at).toBe(closes_at === null ? null : toMicros(closes_at))
  })

  test('the status gates the quote (P16): Closed is closed, another word is quarantined', () => {
    expect(readContract({ status: 'Closed' }).references).toMatchObject([{ status: 'closed' }])
    const { references, quotes, quarantine } = readContract({ status: 'Odd' })
    expect([references, quotes?.length]).toEqual([undefined, 2])
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 1, path: 'contracts[0]', reason: 'BAD_FLAG' }])
  })

  test('a bad one is quarantined, not its siblings', () => {
    const contracts = [
      { ...CONTRACT, bestBuyYesCost: 1.01 },
      { ...CONTRACT, id: 4389 },
    ]
    const { quotes, quarantine } = readMarket({ ...MARKET, contracts })
    expect(quotes!.map(({ source_market_id }) => source_market_id)).toEqual(['4389', '4389'])
    expect(quarantine).toMatchObject([{ path: 'contracts[0]', reason: 'VALUE_OUT_OF_RANGE' }])
  })
})

describe('timeStamp', () => {
  test('has no zone and is US Eastern: 12:06:16 beside a receive time of 16:06:47Z', () => {
    const [quote] = readContract({}).quotes!
    expect(quote).toMatchObject({ source_at: toMicros('2024-05-13T16:06:16Z'), received_at: toMicros(READ_AT) })
  })

  test('is never copied into the close time', () => {
    expect(readContract({}).references).toMatchObject([
      { opens_at: null, closes_at: null, expected_resolution_at: null },
    ])
  })

  test('an unchanged market read again is fresh (P17)', () => {
    const later = readMarket(MARKET, '2024-05-13T16:10:00Z').quotes![YES]!
    expect(later).toMatchObject({
      received_at: toMicros('2024-05-13T16:10:00Z'),
      source_at: toMicros('2024-05-13T16:06:16Z'),
    })
    expect(later.book!.confirmed_at).toBe(toMicros('2024-05-13T16:10:00Z'))
  })

  test.each([
    ['2024-05-13T12:06:48', 'SOURCE_AFTER_RECEIVED'],
    ['2024-05-13T16:06:16Z', 'BAD_DATE'],
    ['0001-01-01T00:00:00', 'BAD_DATE'],
    [null, 'MISSING_FIELD'],
  ])('%j is refused: %s', (timeStamp, reason) => {
    const quarantine = [{ file: 'payload.json', line: 1, path: '$', reason }]
    expect(readMarket({ ...MARKET, timeStamp })).toMatchObject({ quarantine })
  })
})

describe('all markets', () => {
  const ENDPOINT = 'GET /api/marketdata/all/'

  test('are read as one market is', () => {
    const { quotes } = read(ENDPOINT, {
      markets: [MARKET, { ...MARKET, id: 2722, contracts: [{ ...CONTRACT, id: 9 }] }],
    })
    expect(quotes!.map(({ source_market_id, path }) => [source_market_id, path])).toEqual([
      ['4390', 'markets[0].contracts[0]'],
      ['4390', 'markets[0].contracts[0]'],
      ['9', 'markets[1].contracts[0]'],
      ['9', 'markets[1].contracts[0]'],
    ])
  })

  test('a bad market is quarantined, not its siblings; none at all is an answer (P14)', () => {
    const { quotes, quarantine } = read(ENDPOINT, { markets: [{ ...MARKET, timeStamp: 'noon' }, MARKET] })
    expect(quotes).toHaveLength(2)
    expect(quarantine).toMatchObject([{ file: 'payload.json', line: 1, path: 'markets[0]', reason: 'BAD_DATE' }])
    expect(read(ENDPOINT, { markets: [] })).toEqual({})
  })

  test.each(['[]', '{}', 'null', '"down for maintenance"', '{"markets":{}}'])('%s has not their form', (text) => {
    expect(read(ENDPOINT, text)).toMatchObject({ quarantine: [{ path: '$', reason: 'UNKNOWN_SHAPE' }] })
  })
})

const folder = recordedData('predictit_api')

test('the recorded market of 2019: four contracts, none quarantined', () => {
  const text = readFileSync(join(folder, 'market_2721.json'), 'utf8')
  const { quotes, references, quarantine } = readMarket(text, '2019-11-13T02:23:43Z')
  expect(quarantine).toBeUndefined()
  expect(references!.map(({ source_market_id, title, closes_at }) => [source_market_id, title, closes_at])).toEqual([
    ['4390', 'Democratic', null],
    ['4389', 'Republican', null],
    ['4388', 'Libertarian', null],
    ['4391', 'Green', null],
  ])
  expect(quotes).toHaveLength(8)
  expect(quotes![0]).toMatchObject({ source_at: toMicros('2019-11-13T02:23:42.105209Z') })
  expect(quotes![7]!.book).toMatchObject({ bid: '0.970000000', ask: '0.980000000' })
})

const CASES = sized(500, 15_000)

test(`${CASES} mutated payloads: nothing is thrown, and no price, time or zero that cannot be`, () => {
  const payloads = [
    venuePayload('predictit', 'GET /api/marketdata/markets/{id}', MARKET, READ_AT),
    venuePayload('predictit', 'GET /api/marketdata/all/', { markets: [MARKET, { ...MARKET, id: 7 }] }, READ_AT),
  ]
  const counts = fuzzReader(
    payloads,
    () => createPredictitReader(NOW),
    CASES,
    SEED,
    ({ quotes = [] }) => {
      for (const { book } of quotes) {
        for (const price of [book!.bid, book!.ask])
          if (price === '0.000000000' || price === '1.000000000') expect.fail(price)
      }
    },
  )
  expect(counts.read).toBeGreaterThan(CASES / 5)
  expect(counts.refused).toBeGreaterThan(CASES / 5)
}, 300_000)
