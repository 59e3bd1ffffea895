import { describe, expect, test } from 'vitest'
import { KALSHI } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { formatMicros, toMicros } from '../../../../primitives/instants.ts'
import {
  allOf,
  MARKET,
  MARKET_WITHOUT_CENTS,
  payload,
  RECEIVED,
  read,
  reader,
  reasons,
  sides,
  UNTOUCHED,
} from './payloads.ts'

const one = (market: object) => read(KALSHI.market, { market })
const YES_6_7 = [
  ['YES', '0.060000000', '0.070000000'],
  ['NO', '0.930000000', '0.940000000'],
]

describe('money: dollars first, cents as fallback, refused when they disagree', () => {
  test('both, dollars alone and cents alone say the same', () => {
    const cents_alone = Object.fromEntries(Object.entries(MARKET).filter(([field]) => !field.endsWith('_dollars')))
    for (const market of [MARKET, MARKET_WITHOUT_CENTS, cents_alone]) expect(sides(one(market))).toEqual(YES_6_7)
  })

  test('disagreement quarantines the quotes, not the market', () => {
    const { quotes, references, quarantine } = one({ ...MARKET, yes_bid: 5 })
    expect([quotes.length, references.length]).toEqual([0, 1])
    expect(quarantine).toEqual([{ file: 'f.json', line: 1, path: 'market', reason: 'FIELDS_DISAGREE' }])
  })

  test.each([
    ['0.0650', 6, []],
    ['0.0650', 7, []],
    ['0.0650', 5, ['FIELDS_DISAGREE']],
    ['0.0650', 8, ['FIELDS_DISAGREE']],
    ['0.0600', 7, ['FIELDS_DISAGREE']],
  ])('a finer price %s beside its rounding to %i cents', (yes_bid_dollars, yes_bid, expected) => {
    const { no_ask, no_ask_dollars, ...market } = MARKET
    const records = one({ ...market, yes_bid_dollars, yes_bid })
    expect(reasons(records)).toEqual(expected)
    if (expected.length === 0) expect(sides(records)[0]).toEqual(['YES', '0.065000000', '0.070000000'])
  })

  test('integers in another unit than cents are not read', () => {
    const market = {
      ...MARKET,
      response_price_units: 'usd_centi_cent',
      yes_bid: 600,
      yes_ask: 700,
      no_bid: 9300,
      no_ask: 9400,
    }
    expect(sides(one({ ...market, last_price: 600 }))).toEqual(YES_6_7)
  })

  test('cents that are no whole number are another unit under the same name', () => {
    const { yes_bid_dollars, ...market } = MARKET
    expect(reasons(one({ ...market, yes_bid: 0.06 }))).toEqual(['BAD_VALUE'])
  })

  test('deprecated liquidity may be negative: it is not read', () => {
    expect(reasons(one({ ...MARKET, liquidity: -1, liquidity_dollars: '-1.0000' }))).toEqual([])
  })
})

describe('P1: no quote looks like a price', () => {
  test('yes_bid 0, yes_ask 0, no_bid 100, no_ask 100 on an untouched market is no quote, and last_price 0 no trade', () => {
    const { quotes, quarantine } = one(UNTOUCHED)
    expect(quarantine).toEqual([])
    expect(
      quotes.map(({ book }) => [book!.bid, book!.ask, book!.bid_depth, book!.ask_depth, book!.last_trade]),
    ).toEqual(Array(2).fill([null, null, null, null, null]))
  })

  test('the later form writes a missing ask as 1.0000', () => {
    const market = { ...MARKET_WITHOUT_CENTS, yes_ask_dollars: '1.0000', no_bid_dollars: '0.0000' }
    expect(sides(one(market))).toEqual([
      ['YES', '0.060000000', null],
      ['NO', null, '0.940000000'],
    ])
  })

  test('P2: no ask is made of an ask: it is one minus a real bid, or missing', () => {
    const market = { ...MARKET_WITHOUT_CENTS, yes_bid_dollars: '0.0000', no_ask_dollars: '1.0000' }
    expect(sides(one(market))).toEqual([
      ['YES', null, '0.070000000'],
      ['NO', '0.930000000', null],
    ])
  })

  test('P2: a bid and the other outcome’s ask that are not complements disagree', () => {
    expect(reasons(one({ ...MARKET_WITHOUT_CENTS, no_ask_dollars: '0.9500' }))).toEqual(['FIELDS_DISAGREE'])
    expect(reasons(one({ ...MARKET_WITHOUT_CENTS, no_bid_dollars: '0.0000' }))).toEqual(['FIELDS_DISAGREE'])
  })

  test('an object without any quote field does not say that nobody quotes', () => {
    const { ticker, event_ticker, title, status } = MARKET
    expect(reasons(one({ ticker, event_ticker, title, status }))).toEqual(['MISSING_FIELD'])
  })

  test('depths if the venue states them; 0.00 means none', () => {
    const { quotes } = one({ ...MARKET_WITHOUT_CENTS, yes_bid_size_fp: '12.50', yes_ask_size_fp: '0.00' })
    expect(quotes.map(({ book }) => [book!.bid_depth, book!.ask_depth])).toEqual([
      ['12.500000', null],
      [null, '12.500000'],
    ])
  })
})

describe('P16: the status gates the quote', () => {
  test.each([
    ['initialized', 'scheduled', 0],
    ['unopened', 'scheduled', 0],
    ['active', 'open', 2],
    ['open', 'open', 2],
    ['inactive', 'paused', 2],
    ['paused', 'paused', 2],
    ['closed', 'closed', 0],
    ['determined', 'resolving', 0],
    ['disputed', 'resolving', 0],
    ['amended', 'resolving', 0],
    ['finalized', 'resolved', 0],
    ['settled', 'resolved', 0],
  ])('%s is %s and shows %i quotes', (word, status, count) => {
    const { references, quotes } = one({ ...MARKET, status: word })
    expect([references[0]!.status, quotes.length]).toEqual([status, count])
  })

  test('an unknown word is refused, not guessed', () => {
    expect(reasons(one({ ...MARKET, status: 'melted' }))).toEqual(['BAD_FLAG'])
  })
})

describe('P15: the result is a record of its own', () => {
  const settled = { ...MARKET, status: 'finalized', settlement_ts: '2026-03-01T10:00:00Z' }
  const payouts = (market: object) =>
    one(market).resolutions.map(({ finality, payouts: [yes, no] }) => [finality, yes!.payout, no!.payout])

  test('result "" is unknown, also on a settled market', () => {
    expect(one(MARKET).resolutions).toEqual([])
    expect(one(settled)).toMatchObject({ resolutions: [], quarantine: [] })
  })

  test('yes and no of a settled market are final at settlement_ts', () => {
    const [resolution] = one({ ...settled, result: 'yes', settlement_value: 100 }).resolutions
    expect(resolution).toMatchObject({
      finality: 'final',
      source_at: toMicros('2026-03-01T10:00:00Z'),
      received_at: RECEIVED,
      payouts: [
        { outcome: 'YES', payout: '1.000000000' },
        { outcome: 'NO', payout: '0.000000000' },
      ],
    })
    expect(resolution!.evidence.content_hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(payouts({ ...settled, result: 'no' })).toEqual([['final', '0.000000000', '1.000000000']])
  })

  test('settlement_ts in epoch seconds is the same instant', () => {
    const [resolution] = one({ ...settled, result: 'no', settlement_ts: 1_772_359_200 }).resolutions
    expect(formatMicros(resolution!.source_at)).toBe('2026-03-01T10:00:00Z')
  })

  test('without settlement_ts (before December 2025) the read itself is the time', () => {
    const { settlement_ts, ...older } = settled
    expect(one({ ...older, result: 'no' }).resolutions[0]!.source_at).toBe(RECEIVED)
  })

  test('a scalar market pays its settlement value', () => {
    expect(payouts({ ...settled, result: 'scalar', settlement_value_dollars: '0.3500' })).toEqual([
      ['final', '0.350000000', '0.650000000'],
    ])
    expect(reasons(one({ ...settled, result: 'scalar' }))).toEqual(['MISSING_FIELD'])
  })

  test('determined is proposed, disputed is disputed; a default value of 0 is not yet read there', () => {
    expect(payouts({ ...MARKET, status: 'determined', result: 'yes', settlement_value: 0 })).toEqual([
      ['proposed', '1.000000000', '0.000000000'],
    ])
    expect(payouts({ ...MARKET, status: 'disputed', result: 'no' })).toEqual([
      ['disputed', '0.000000000', '1.000000000'],
    ])
  })

  test('a result against its settlement value, or of an unknown word, is refused; the market stays', () => {
    const against = one({ ...settled, result: 'yes', settlement_value_dollars: '0.0000' })
    expect([reasons(against), against.references.length]).toEqual([['FIELDS_DISAGREE'], 1])
    expect(reasons(one({ ...settled, result: 'maybe' }))).toEqual(['BAD_FLAG'])
  })

  test('every read of a settled market says it again: it is stated once, and again when it changes', () => {
    const same = reader()
    const states = ['yes', 'yes', 'no', 'no'].map(
      (result, n) =>
        allOf(same.read(payload(KALSHI.market, { market: { ...settled, result } }, { received_at: RECEIVED + n })))
          .resolutions.length,
    )
    expect(states).toEqual([1, 0, 1, 0])
  })

  test('after a final result a lagging read that still says determined is behind; a later one is never about earlier', () => {
    const same = reader()
    const say = (changes: object, n: number) =>
      allOf(same.read(payload(KALSHI.market, { market: { ...settled, ...changes } }, { received_at: RECEIVED + n })))
        .resolutions
    const determined = { status: 'determined', result: 'yes' }
    expect(say(determined, 0)).toMatchObject([{ finality: 'proposed', source_at: RECEIVED }])
    // Settled before the read that had still said determined: the final statement supersedes it all the same.
    expect(say({ result: 'yes' }, 1)).toMatchObject([
      { finality: 'final', source_at: RECEIVED, received_at: RECEIVED + 1 },
    ])
    expect(say(determined, 2)).toEqual([])
    expect(say({ status: 'disputed', result: 'no' }, 3)).toEqual([])
    expect(say({ result: 'no' }, 4)).toMatchObject([{ finality: 'final', payouts: [{ payout: '0.000000000' }, {}] }])
  })

  test('settlement after the receipt is refused', () => {
    const late = { ...settled, result: 'yes', settlement_ts: '2026-03-02T12:00:00.000001Z' }
    expect(reasons(one(late))).toEqual(['SOURCE_AFTER_RECEIVED'])
  })
})

describe('lists', () => {
  test('P12: combinations are left out before anything of them is read, the others stay', () => {
    const combos = [
      { ...MARKET, ticker: 'KXMVENFLSINGLEGAME-S2025-1', yes_bid: 'nonsense' },
      { ...MARKET, mve_collection_ticker: 'KXMVENFLSINGLEGAME-26JAN12HOUPIT', status: 'melted' },
      { ...MARKET, mve_selected_legs: [{}] },
    ]
    const { references, quotes, quarantine } = read(KALSHI.markets, { cursor: '', markets: [...combos, MARKET] })
    expect([references.length, quotes.length, quarantine.length]).toEqual([1, 2, 0])
    expect(references[0]!.path).toBe('markets[3]')
  })

  test('one bad record is named with its place and does not touch its siblings', () => {
    const { ticker, ...nameless } = MARKET
    const { references, quarantine } = read(KALSHI.markets, {
      markets: [MARKET, nameless, 'x', { ...MARKET, ticker: 'KXB' }],
    })
    expect(references.map(({ source_market_id }) => source_market_id)).toEqual(['KXELONMARS-99', 'KXB'])
    expect(quarantine).toMatchObject([
      { file: 'f.json', line: 2, path: 'markets[1]', reason: 'MISSING_FIELD' },
      { file: 'f.json', line: 3, path: 'markets[2]', reason: 'UNKNOWN_SHAPE' },
    ])
  })

  test('null is an empty page, an absent list another shape; P14: an empty page is no error', () => {
    expect(reasons(read(KALSHI.markets, { cursor: '', markets: null }))).toEqual([])
    expect(reasons(read(KALSHI.markets, { cursor: '', markets: [] }))).toEqual([])
    expect(reasons(read(KALSHI.markets, { error: { code: 'not_found' } }))).toEqual(['UNKNOWN_SHAPE'])
  })

  test('markets nested in events have the event’s texts', () => {
    const event = {
      event_ticker: 'KXELONMARS-99',
      series_ticker: 'KXELONMARS',
      title: 'Mars?',
      sub_title: 'By 2099',
      category: 'World',
    }
    const { references } = read(KALSHI.events, { events: [{ ...event, markets: [MARKET] }], milestones: [] })
    expect(references[0]).toMatchObject({
      path: 'events[0].markets[0]',
      event_title: 'Mars?',
      description: 'By 2099',
      category: 'World',
    })
    const single = read(KALSHI.event, { event, markets: [MARKET] })
    expect(single.references).toHaveLength(1)
    expect(read(KALSHI.event, { event: { ...event, markets: [MARKET] } }).references).toHaveLength(1)
  })

  test('P12: titles are mutable, never keys: another title is another statement about the same market', () => {
    const same = reader()
    const [first, second] = ['A', 'B'].map(
      (title) => allOf(same.read(payload(KALSHI.market, { market: { ...MARKET, title } }))).references[0]!,
    )
    expect([first!.title, second!.title]).toEqual(['A', 'B'])
    expect(second!.source_market_id).toBe(first!.source_market_id)
  })

  test('the category of a series reaches its markets; an event that none has shown is called by its ticker', () => {
    const same = reader()
    same.read(payload(KALSHI.series, { series: { ticker: 'KXELONMARS', category: 'Space' } }))
    const { references } = allOf(same.read(payload(KALSHI.market, { market: MARKET })))
    expect(references[0]).toMatchObject({ category: 'Space', event_title: 'KXELONMARS-99', description: null })
  })
})

describe('P10: times', () => {
  test.each([
    ['2099-08-01T04:59:00Z', '2099-08-01T04:59:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['2100-01-01T00:00:00Z', null],
    ['9999-12-31T00:00:00Z', null],
    ['soon', null],
    [null, null],
  ])('close_time %s is kept as %s: a schedule is no evidence', (close_time, expected) => {
    const { references, quarantine } = one({ ...MARKET, close_time })
    expect(quarantine).toEqual([])
    const { closes_at } = references[0]!
    expect(closes_at === null ? null : formatMicros(closes_at)).toBe(expected)
  })
})

describe('whole payloads', () => {
  test.each([
    ['GET /nothing', '{}', 'UNKNOWN_SHAPE'],
    ['constructor', '{}', 'UNKNOWN_SHAPE'],
    [KALSHI.markets, '{', 'BAD_JSON'],
    [KALSHI.markets, 'null', 'UNKNOWN_SHAPE'],
    [KALSHI.market, '{"market":null}', 'UNKNOWN_SHAPE'],
    [KALSHI.exchange_status, 'oops', 'BAD_JSON'],
    [KALSHI.historical_cutoff, '{"market_settled_ts":"0001-01-01T00:00:00Z"}', 'BAD_DATE'],
  ])('%s with %s gives one item, %s', (endpoint, text, reason) => {
    expect(read(endpoint, text).quarantine).toEqual([{ file: 'f.json', line: 1, path: '$', reason }])
  })

  test('a payload received after now is refused as a whole', () => {
    const records = read(KALSHI.market, { market: MARKET }, { received_at: toMicros('2026-11-21T00:00:00.000001Z') })
    expect([reasons(records), records.quotes.length]).toEqual([['RECEIVED_IN_FUTURE'], 0])
  })

  test.each([
    KALSHI.event_metadata,
    KALSHI.exchange_status,
    KALSHI.exchange_schedule,
    KALSHI.exchange_announcements,
    KALSHI.fee_changes,
    KALSHI.milestones,
    KALSHI.structured_targets,
    KALSHI.tags,
    KALSHI.multivariate_collections,
    KALSHI.multivariate_collection,
  ])('%s is kept and gives no records; undocumented nulls in it do not matter', (endpoint) => {
    const records = read(endpoint, { competition: null, settlement_sources: null })
    expect(Object.values(records).flat()).toEqual([])
  })
})
