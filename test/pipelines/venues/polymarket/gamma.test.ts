import { describe, expect, test } from 'vitest'
import { toMicros } from '../../../../primitives/instants.ts'
import {
  AT,
  CONDITION,
  gammaMarket,
  NO_TOKEN,
  newReader,
  OTHER_CONDITION,
  refusals,
  UP_TOKEN,
  upDownMarket,
  YES_TOKEN,
} from './support/payloads.ts'

const read = (...markets: unknown[]) => newReader()('GET /markets', markets)
const reference = (changes: Record<string, unknown>) => read(gammaMarket(changes)).references[0]
const quote = (changes: Record<string, unknown>) => read(gammaMarket(changes)).quotes[0]

describe('references', () => {
  test('outcomes, outcomePrices and clobTokenIds are JSON-encoded strings; index i of the three belongs together', () => {
    const { references, quarantine } = read(gammaMarket())
    expect(quarantine).toEqual([])
    expect(references).toEqual([
      {
        file: 'recorded.jsonl',
        line: 1,
        path: '$[0]',
        venue_id: 'polymarket',
        source_series_id: null,
        source_event_id: '11',
        source_market_id: CONDITION,
        slug: 'rain-in-lima',
        event_slug: 'weather-in-lima',
        source_at: AT,
        received_at: AT,
        title: 'Will it rain in Lima on 31 December?',
        event_title: 'Weather in Lima',
        description: 'All about rain.',
        category: 'Weather',
        status: 'open',
        outcome_type: 'binary',
        outcomes: ['YES', 'NO'],
        resolution_question: 'Will it rain in Lima on 31 December?',
        resolution_criteria: 'Resolves to Yes if rain is measured in Lima.',
        source_url: 'https://weather.example/lima',
        trading: {
          price_min: '0.001000000',
          price_max: '0.999000000',
          price_increment: '0.001000000',
          quantity_increment: '0.010000',
          minimum_quantity: '5.000000',
          settlement_asset_id: 'usdc',
          shorting_permitted: null,
        },
        event_details: { status: null, starts_at: null, ends_at: null, regions: null, timezone: null },
        opens_at: toMicros('2026-05-02T15:48:20.451397Z'),
        closes_at: toMicros('2026-12-31T12:00:00Z'),
        expected_resolution_at: toMicros('2026-12-31T12:00:00Z'),
      },
    ])
  })

  test('not always Yes and No: Up and Down, two teams, Long and Short keep their labels', () => {
    for (const labels of [
      ['Up', 'Down'],
      ['FaZe', 'illwill'],
      ['Long', 'Short'],
    ]) {
      const found = reference({ outcomes: JSON.stringify(labels) })
      expect([found?.outcome_type, found?.outcomes]).toEqual(['categorical', labels])
    }
  })

  test('never infer YES from position: a market that lists No first maps its tokens by label', () => {
    const fed = newReader()
    const { references, quotes } = fed('GET /markets', [gammaMarket({ outcomes: '["No", "Yes"]' })])
    expect(references[0]?.outcomes).toEqual(['YES', 'NO'])
    expect(quotes[0]?.outcome).toBe('NO')
    const book = { asset_id: YES_TOKEN, market: CONDITION, bids: [], asks: [] }
    expect(fed('GET /book', book).books[0]?.outcome).toBe('NO')
    expect(fed('GET /book', { ...book, asset_id: NO_TOKEN }).books[0]?.outcome).toBe('YES')
  })

  test('an event nests its markets, and each has the event above it', () => {
    const event = { id: '23', title: 'Two weathers', markets: [gammaMarket({ events: undefined }), upDownMarket()] }
    const { references, quarantine } = newReader()('GET /events', [{ id: '22', title: 'Empty', markets: [] }, event])
    expect(quarantine).toEqual([])
    expect(references.map((r) => [r.path, r.line, r.source_event_id, r.event_title, r.source_market_id])).toEqual([
      ['$[1].markets[0]', 2, '23', 'Two weathers', CONDITION],
      ['$[1].markets[1]', 3, '23', 'Two weathers', OTHER_CONDITION],
    ])
  })

  test('a market without an event is its own', () => {
    for (const events of [undefined, null, []]) {
      const found = reference({ events })
      expect([found?.source_event_id, found?.event_title, found?.description]).toEqual([
        CONDITION,
        'Will it rain in Lima on 31 December?',
        null,
      ])
    }
  })

  test.each([
    ['open', {}],
    ['paused', { acceptingOrders: false }],
    ['scheduled', { active: false }],
    ['resolving', { umaResolutionStatus: 'proposed' }],
    ['resolving', { umaResolutionStatus: 'disputed', acceptingOrders: true }],
    ['closed', { closed: true }],
    ['resolved', { closed: true, outcomePrices: '["1", "0"]' }],
    ['archived', { archived: true }],
    [null, { closed: undefined }],
    [null, { active: null }],
  ] as const)('status %s of %j', (status, changes) => {
    expect(reference(changes)?.status).toBe(status)
  })

  test('active stays true after closing, acceptingOrders may be true on a decided market: closed rules both', () => {
    const changes = { closed: true, active: true, acceptingOrders: true, outcomePrices: '["0", "1"]' }
    expect(reference(changes)?.status).toBe('resolved')
  })

  test('times have 0 to 6 digits, closedTime has a space and +00; the close is closedTime once the market is closed', () => {
    const closedTime = '2026-07-24 00:00:16+00'
    expect(reference({ closed: true, closedTime })?.closes_at).toBe(toMicros('2026-07-24T00:00:16Z'))
    expect(reference({ closed: false, closedTime })?.closes_at).toBe(toMicros('2026-12-31T12:00:00Z'))
    expect(reference({ startDate: '2026-05-02T15:48:20.4513971Z' })?.opens_at).toBe(
      toMicros('2026-05-02T15:48:20.451397Z'),
    )
    expect(reference({ endDate: undefined })?.closes_at).toBe(toMicros('2026-12-31T00:00:00Z'))
  })

  test('a schedule is not evidence: years 1 and 2500 mean none', () => {
    const found = reference({ startDate: '0001-01-01T00:00:00Z', endDate: '2500-12-31T00:00:00Z', endDateIso: 'soon' })
    expect([found?.opens_at, found?.closes_at]).toEqual([null, null])
  })

  test('one bad market is quarantined, not its siblings', () => {
    const found = read(gammaMarket({ conditionId: '' }), gammaMarket(), upDownMarket({ outcomes: '["Up"' }), 7)
    expect(refusals(found)).toEqual(['$[0] MISSING_FIELD', '$[2] BAD_JSON', '$[3] UNKNOWN_SHAPE'])
    expect(found.references).toHaveLength(1)
  })

  test('lists of different length, a token twice and the token of another market are refused', () => {
    const found = read(
      gammaMarket({ clobTokenIds: JSON.stringify([YES_TOKEN]) }),
      gammaMarket({ clobTokenIds: JSON.stringify([YES_TOKEN, YES_TOKEN]) }),
      gammaMarket(),
      upDownMarket({ clobTokenIds: JSON.stringify([UP_TOKEN, YES_TOKEN]) }),
      gammaMarket({ clobTokenIds: '["0x1f", "2"]' }),
    )
    expect(refusals(found)).toEqual([
      '$[0] FIELDS_DISAGREE',
      '$[1] FIELDS_DISAGREE',
      '$[3] CONFLICTING_VALUE',
      '$[4] BAD_ID',
    ])
  })

  test('a payload that is no list of markets gives one item', () => {
    const fed = newReader()
    for (const [body, reason] of [
      ['', 'BAD_JSON'],
      ['[{"id":1', 'BAD_JSON'],
      ['{"error":"not found"}', 'UNKNOWN_SHAPE'],
      ['null', 'UNKNOWN_SHAPE'],
      ['"x"', 'UNKNOWN_SHAPE'],
    ] as const) {
      expect(fed('GET /markets', body).quarantine).toEqual([{ file: 'recorded.jsonl', line: 1, path: '$', reason }])
      expect(refusals(fed('GET /events', body))).toEqual([`$ ${reason}`])
    }
    expect(refusals(fed('GET /markets', []))).toEqual([])
    expect(refusals(fed('GET /tags', []))).toEqual(['$ UNKNOWN_SHAPE'])
  })

  test('a payload from the future or of no plausible time is refused whole', () => {
    const fed = newReader()
    expect(
      refusals(fed('GET /markets', [gammaMarket()], { received_at: toMicros('2026-11-01T00:00:00.000001Z') })),
    ).toEqual(['$ RECEIVED_IN_FUTURE'])
    expect(refusals(fed('GET /markets', [gammaMarket()], { received_at: 5 }))).toEqual(['$ BAD_DATE'])
  })
})

describe('quotes', () => {
  test('bestBid, bestAsk and lastTradePrice are the first outcome’s, confirmed by the read; Gamma gives no depth and no time', () => {
    expect(quote({})).toEqual({
      file: 'recorded.jsonl',
      line: 1,
      path: '$[0]',
      venue_id: 'polymarket',
      source_series_id: null,
      source_market_id: CONDITION,
      outcome: 'YES',
      source_at: AT,
      received_at: AT,
      reported_probability: null,
      raw_value: null,
      is_final: false,
      text: '',
      book: {
        bid: '0.010000000',
        ask: '0.011000000',
        bid_depth: null,
        ask_depth: null,
        last_trade: '0.012000000',
        last_trade_at: null,
        source_sequence: null,
        confirmed_at: AT,
      },
    })
  })

  test('P1: in a never-quoted market bestBid 0, bestAsk 1, spread 1 are defaults, not quotes', () => {
    expect(quote({ bestBid: 0, bestAsk: 1, spread: 1, lastTradePrice: 0 })).toBeUndefined()
    expect(quote({ bestBid: '0.000', bestAsk: '1.0', lastTradePrice: -0 })).toBeUndefined()
    const one_sided = quote({ bestBid: 0.4, bestAsk: 1, lastTradePrice: 0 })
    expect([one_sided?.book?.bid, one_sided?.book?.ask, one_sided?.book?.last_trade]).toEqual([
      '0.400000000',
      null,
      null,
    ])
  })

  test('absent means unknown: without bestBid the bid is missing, not 0', () => {
    expect(quote({ bestBid: undefined })?.book?.bid).toBeNull()
    expect(quote({ bestBid: null, bestAsk: undefined, lastTradePrice: '' })).toBeUndefined()
  })

  test.each([
    { closed: true },
    { closed: true, outcomePrices: '["1", "0"]', acceptingOrders: true },
    { closed: true, umaResolutionStatus: 'disputed' },
    { active: false },
    { archived: true },
    { closed: undefined },
  ])(
    'P16: a closed market keeps stale bestBid and bestAsk (0.96 and 0.97); the status gates the quote: %j',
    (changes) => {
      expect(quote({ bestBid: 0.96, bestAsk: 0.97, ...changes })).toBeUndefined()
    },
  )

  test('P16: a market that trades on while its resolution is proposed is still quoted', () => {
    expect(quote({ umaResolutionStatus: 'proposed' })?.book?.bid).toBe('0.010000000')
  })

  test('P8: an observation may be off the tick: half ticks and 34 digits are taken, half even to 9', () => {
    expect(quote({ bestBid: 0.0015 })?.book?.bid).toBe('0.001500000')
    expect(quote({ bestAsk: '0.5843311669077693146635445446077281' })?.book?.ask).toBe('0.584331167')
    expect(quote({ bestAsk: '0.0000000005', bestBid: '0.0000000015' })).toBeUndefined()
    expect(quote({ bestBid: '0.0000000015' })?.book?.bid).toBe('0.000000002')
  })

  test('P9: numbers are read from their text: float artifacts and exponents included', () => {
    const [text] = [JSON.stringify([gammaMarket()]).replace('"bestBid":0.01', '"bestBid":0.45530000000000004')]
    expect(newReader()('GET /markets', text).quotes[0]?.book?.bid).toBe('0.455300000')
    const tiny = JSON.stringify([gammaMarket()]).replace('"bestBid":0.01', '"bestBid":1.5e-05')
    expect(newReader()('GET /markets', tiny).quotes[0]?.book?.bid).toBe('0.000015000')
  })

  test('a price outside [0, 1] costs the quote, not the reference', () => {
    const found = read(
      gammaMarket({ bestBid: 1.2 }),
      gammaMarket({ bestAsk: '1.0000000001' }),
      gammaMarket({ bestBid: -1 }),
    )
    expect(refusals(found)).toEqual(['$[0] VALUE_OUT_OF_RANGE', '$[1] VALUE_OUT_OF_RANGE', '$[2] VALUE_OUT_OF_RANGE'])
    expect([found.references.length, found.quotes.length]).toEqual([3, 0])
  })

  test('P17: the unchanged quote of a later read is a quote again, with a fresh confirmation', () => {
    const fed = newReader()
    fed('GET /markets', [gammaMarket()])
    const later = fed('GET /markets', [gammaMarket()], { received_at: AT + 60_000_000 }).quotes[0]
    expect([later?.source_at, later?.book?.confirmed_at]).toEqual([AT + 60_000_000, AT + 60_000_000])
  })
})
