import Compile from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { marketPriceOf } from '../../../api/resources/market-price.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../../protocol/limits.ts'
import { MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { Placed } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'

const schema = Compile(MarketPrice)
const AT = '2026-01-01T00:10:00Z'

const MARKET: Row = {
  market_id: 'mkt_1',
  status: 'open',
  outcome_type: 'binary',
  outcomes: [{ outcome_id: 'out_yes' }, { outcome_id: 'out_no' }],
}

const quote = (fields: Row): Row => ({
  record_id: 'obs_1',
  venue_id: 'kalshi',
  source_series_id: null,
  source_market_id: 'M',
  market_id: 'mkt_1',
  outcome_id: 'out_yes',
  bid: '0.620000000',
  ask: '0.640000000',
  bid_depth: '300.000000',
  ask_depth: null,
  last_trade: null,
  source_sequence: null,
  quality_state: 'valid',
  source_at: AT,
  received_at: AT,
  confirmed_at: null,
  published_at: AT,
  ...fields,
})

const trade = (fields: Row): Row => ({
  trade_id: 'trd_1',
  venue_id: 'kalshi',
  source_series_id: null,
  source_market_id: 'M',
  market_id: 'mkt_1',
  outcome_id: 'out_no',
  price: '0.390000000',
  source_sequence: null,
  source_at: '2026-01-01T00:05:00Z',
  received_at: '2026-01-01T00:05:02Z',
  published_at: '2026-01-01T00:05:03Z',
  ...fields,
})

type Rest = {
  readonly trades?: readonly Row[]
  readonly marks?: readonly Row[]
  readonly books?: readonly Placed[]
  readonly market?: Row
}

const view = (quotes: readonly Row[], { trades = [], marks = [], books = [], market = {} }: Rest = {}, at = AT) =>
  marketPriceOf({ market: { ...MARKET, ...market }, quotes, trades, marks, books }, toMicros(at))
const labels = (made: ReturnType<typeof view>) => [
  made!.price.quality_state,
  ...made!.price.outcomes.map(({ quality_state }) => quality_state),
]

describe('market price view', () => {
  test('is the resource of the schema', () => {
    const { price } = view([quote({})])!
    expect([...schema.Errors(price)]).toEqual([])
    expect(schema.Check(price)).toBe(true)
  })

  test('a market whose venue has described no outcome, and a book without a side, have no price', () => {
    expect(view([quote({})], { market: { outcomes: null } })!.price.outcomes).toEqual([])
    const row = {
      order_book_id: 'obk_1',
      venue_id: 'kalshi',
      outcome_id: 'out_yes',
      source_at: AT,
      bids: null,
      asks: null,
    }
    const [yes] = view([quote({ bid: null, ask: null })], { books: [{ row, seq: 1 }] })!.price.outcomes
    expect(yes).toMatchObject({ best_bid: null, best_ask: null, midpoint: null })
  })

  test('is labelled no better than the mark that it shows; a mark without a value says nothing', () => {
    const mark = (fields: Row): Row => ({
      mark_id: 'mrk_1',
      venue_id: 'kalshi',
      source_series_id: null,
      outcome_id: 'out_yes',
      mark: '0.500000000',
      tick_at: AT,
      ...fields,
    })
    const labelled = (fields: Row) => view([quote({})], { marks: [mark(fields)] })
    expect(labels(labelled({ quality_state: 'indicative' })).slice(0, 2)).toEqual(['indicative', 'indicative'])
    expect(labels(labelled({ quality_state: 'valid' })).slice(0, 2)).toEqual(['valid', 'valid'])
    expect(labels(labelled({ quality_state: 'suspended', mark: null })).slice(0, 2)).toEqual(['valid', 'valid'])
  })

  test('an outcome of a binary market without a quote of its own shows the other one as derived, from real bids only', () => {
    const [yes, no] = view([quote({ ask: null })])!.price.outcomes
    expect(yes).toMatchObject({ best_bid: '0.620000000', best_ask: null, midpoint: null, spread: null, derived: false })
    expect(no).toMatchObject({
      best_bid: null,
      best_ask: '0.380000000',
      ask_depth: '300.000000',
      last_trade: null,
      derived: true,
      derivation_rule: 'one_minus_other_outcome',
      source_observation_ids: ['obs_1.bid'],
    })
  })

  test('an outcome without any price is null throughout, and derived from nothing', () => {
    const [yes, no] = view([quote({ bid: null, ask: null, bid_depth: null })])!.price.outcomes
    expect(yes).toMatchObject({
      best_bid: null,
      best_ask: null,
      mark: null,
      derived: false,
      source_observation_ids: [],
    })
    expect(no).toMatchObject({ best_bid: null, best_ask: null, derived: false, derivation_rule: null })
  })

  test('of several series the newest record rules: source_at, then received_at, then the greatest series', () => {
    const older = quote({ source_series_id: 'b', source_at: '2026-01-01T00:09:00Z' })
    const tie_a = quote({ source_series_id: 'a', record_id: 'obs_a' })
    const tie_b = quote({ source_series_id: 'b', record_id: 'obs_b' })
    expect(view([older, tie_a])!.price.source_series_id).toBe('a')
    expect(view([tie_a, tie_b])!.price.source_series_id).toBe('b')
  })

  test('a quote that nothing confirmed for longer than max_age_ms is stale, on the boundary still valid', () => {
    const limit = toMicros(AT) + MARKET_PRICE_MAX_AGE_MS * 1000
    expect(labels(view([quote({})], {}, formatMicros(limit)))).toEqual(['valid', 'valid', 'valid'])
    // The side that was derived from the old quote is gone with it.
    expect(labels(view([quote({})], {}, formatMicros(limit + 1)))).toEqual(['stale', 'stale', 'suspended'])
    const confirmed = quote({ confirmed_at: '2026-01-01T00:11:00Z' })
    expect(labels(view([confirmed], {}, formatMicros(limit + 1)))[0]).toBe('valid')
    expect(view([confirmed])!.price.source_at).toBe(AT)
  })

  test('a view is as old as the oldest price that it shows', () => {
    const old = quote({ outcome_id: 'out_no', source_at: '2026-01-01T00:08:00Z', record_id: 'obs_2' })
    const made = view([quote({}), old])!
    expect(labels(made)).toEqual(['stale', 'valid', 'stale'])
    expect(formatMicros(made.confirmed_at)).toBe('2026-01-01T00:08:00Z')
  })

  test('without any price it is suspended; so is a paused market, whose book gives no midpoint', () => {
    const none = { bid: null, ask: null, bid_depth: null }
    expect(labels(view([quote(none)]))).toEqual(['suspended', 'suspended', 'suspended'])
    const paused = view([quote({})], { market: { status: 'paused' } })
    expect(labels(paused)).toEqual(['suspended', 'suspended', 'suspended'])
    expect(paused!.price.outcomes[0]).toMatchObject({ midpoint: null, spread: null, book_reason: 'MARKET_PAUSED' })
    expect(paused!.price.outcomes[1]).toMatchObject({ best_bid: null, best_ask: null, derived: false })
  })

  test('a crossed book shows its sides, no midpoint, no spread and no complement', () => {
    const [yes, no] = view([quote({ bid: '0.650000000' })])!.price.outcomes
    expect(yes).toMatchObject({ best_bid: '0.650000000', midpoint: null, spread: null, book_reason: 'CROSSED_BOOK' })
    expect(no).toMatchObject({ best_bid: null, best_ask: null, derived: false, derivations: [] })
  })

  test('every computed value names its rule and sources', () => {
    const [yes, no] = view([quote({})])!.price.outcomes
    const both = ['obs_1.bid', 'obs_1.ask']
    expect(yes!.derivations).toEqual([
      { field: 'midpoint', derivation_rule: 'midpoint of bid and ask', source_observation_ids: both },
      { field: 'spread', derivation_rule: 'ask minus bid', source_observation_ids: both },
    ])
    expect(yes).toMatchObject({ derived: false, derivation_rule: null })
    expect(no!.derivations.map(({ field, source_observation_ids }) => [field, source_observation_ids])).toEqual([
      ['best_bid', ['obs_1.ask']],
      ['best_ask', ['obs_1.bid']],
      ['midpoint', ['obs_1.ask', 'obs_1.bid']],
      ['spread', ['obs_1.ask', 'obs_1.bid']],
    ])
  })

  test('mark and implied probability are the stored ones, with their rule and methodology', () => {
    const mark: Row = {
      mark_id: 'mrk_1',
      venue_id: 'kalshi',
      source_series_id: null,
      outcome_id: 'out_no',
      mark: '0.370000',
      mark_rule: 'M6',
      origin_rule: 'M6',
      tick_at: '2026-01-01T00:09:00Z',
      implied_probability: '0.370000',
      derived: true,
      derivation_rule: 'one_minus_other_outcome',
      source_observation_ids: ['obs_1.bid', 'obs_1.ask'],
      methodology_id: 'mth_marks',
      methodology_version: '1.0.0',
    }
    const { price } = view([quote({})], { marks: [mark] })!
    expect(price.outcomes[1]).toMatchObject({
      mark: '0.370000',
      mark_rule: 'M6',
      mark_at: '2026-01-01T00:09:00Z',
      mark_observation_id: 'mrk_1.mark',
    })
    expect(price.methodology_id).toBe('mth_marks')
    expect(schema.Check(price)).toBe(true)
  })

  test.each([
    [
      'another outcome has none',
      [
        ['out_a', '0.50'],
        ['out_b', '0.30'],
      ],
      ['PARTIAL_OUTCOME_SET', 'PARTIAL_OUTCOME_SET', null],
    ],
    [
      'another outcome lost its own',
      [
        ['out_a', '0.50'],
        ['out_b', '0.30'],
        ['out_c', null],
      ],
      ['PARTIAL_OUTCOME_SET', 'PARTIAL_OUTCOME_SET', null],
    ],
    [
      'their sum is too far from 1',
      [
        ['out_a', '0.90'],
        ['out_b', '0.80'],
        ['out_c', '0.70'],
      ],
      Array(3).fill('OVERROUND_EXCEEDED'),
    ],
  ] as const)('a mark that implies no probability says why: %s', (_, said, reasons) => {
    const outcomes = ['out_a', 'out_b', 'out_c'].map((outcome_id) => ({ outcome_id }))
    const marks = said.map(([outcome_id, mark]) => ({
      ...{ mark_id: `mrk_${outcome_id}`, venue_id: 'kalshi', source_series_id: null, outcome_id, mark },
      ...{ mark_rule: 'M1', origin_rule: 'M1', tick_at: AT, implied_probability: null, source_observation_ids: [] },
    }))
    const { price } = view([quote({ outcome_id: 'out_a' })], {
      marks,
      market: { outcome_type: 'categorical', outcomes },
    })!
    expect(price.outcomes.map(({ implied_probability }) => implied_probability)).toEqual([null, null, null])
    expect(price.outcomes.map(({ implied_reason }) => implied_reason)).toEqual(reasons)
    expect(schema.Check(price)).toBe(true)
  })

  test('no quote and no trade, no view', () => {
    expect(view([])).toBeNull()
  })

  test('the last trade is that of the tape, beside a quote of any series that states another', () => {
    const stated = quote({ last_trade: '0.700000000', last_trade_at: '2026-01-01T00:01:00Z' })
    for (const source_series_id of [null, 'another']) {
      const [yes] = view([stated], { trades: [trade({ outcome_id: 'out_yes', source_series_id })] })!.price.outcomes
      expect(yes).toMatchObject({ last_trade: '0.390000000', last_trade_at: '2026-01-01T00:05:00Z' })
      expect(yes!.source_observation_ids).toEqual(['obs_1.ask', 'obs_1.bid', 'trd_1.last_trade'])
    }
    expect(view([stated])!.price.outcomes[0]).toMatchObject({ last_trade: '0.700000000' })
  })

  test('an outcome without a quote of its own has its last trade, beside sides of the other outcome or alone', () => {
    const trades = [trade({})]
    const derived = view([quote({})], { trades })!.price
    const last = { last_trade: '0.390000000', last_trade_at: '2026-01-01T00:05:00Z' }
    expect(derived.outcomes[1]).toMatchObject({ ...last, best_bid: '0.360000000', derived: true })
    expect(derived.outcomes[1]!.source_observation_ids).toEqual(['obs_1.ask', 'obs_1.bid', 'trd_1.last_trade'])
    expect(derived.outcomes[0]!.last_trade).toBeNull()
    const alone = view([quote({ bid: '0.650000000' })], { trades })!
    expect(alone.price.outcomes[1]).toMatchObject({
      ...last,
      best_bid: null,
      derived: false,
      confirmed_at: trade({}).source_at,
    })
    // A trade of five minutes ago says no more than that.
    expect(labels(alone)).toEqual(['stale', 'valid', 'stale'])
  })

  test('a fresh mark is not made old by the last trade beside it', () => {
    const mark: Row = { mark_id: 'mrk_1', venue_id: 'kalshi', outcome_id: 'out_no', mark: '0.37', tick_at: AT }
    const made = view([quote({ bid: null, ask: null })], { trades: [trade({})], marks: [mark] })!
    expect(made.price.outcomes[1]).toMatchObject({
      last_trade: '0.390000000',
      confirmed_at: AT,
      quality_state: 'valid',
    })
  })

  test('a market with trades and no quote shows them, as of the newest', () => {
    const older = trade({ trade_id: 'trd_0', outcome_id: 'out_yes', source_at: '2026-01-01T00:04:00Z', price: '0.62' })
    const made = view([], { trades: [older, trade({})] })!
    expect(schema.Check(made.price)).toBe(true)
    expect(made.price).toMatchObject({ market_id: 'mkt_1', venue_id: 'kalshi', source_at: trade({}).source_at })
    expect(made.price.outcomes).toMatchObject([
      { best_bid: null, midpoint: null, mark: null, last_trade: '0.62', source_observation_ids: ['trd_0.last_trade'] },
      { best_bid: null, midpoint: null, mark: null, last_trade: '0.390000000', quality_state: 'stale' },
    ])
    expect(formatMicros(made.confirmed_at)).toBe('2026-01-01T00:04:00Z')
  })

  test('single trades of a venue that does not permit them are not shown', () => {
    const venue_id = 'manifold'
    const [yes] = view([quote({ venue_id })], { trades: [trade({ venue_id, outcome_id: 'out_yes' })] })!.price.outcomes
    expect(yes!.last_trade).toBeNull()
    expect(view([], { trades: [trade({ venue_id })] })).toBeNull()
  })
})
