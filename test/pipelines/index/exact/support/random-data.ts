import fc from 'fast-check'
import { type LegData, QUOTE_NUMBERS, type QuoteColumns } from '../../../../../pipelines/index/admission.ts'
import { withFinalInstants } from '../../../../../pipelines/market/final-instants.ts'
import type { MarketState, Resolution, Trade } from '../../../../../pipelines/market/quote.ts'
import { Decimal } from '../../../../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../../../../primitives/instants.ts'

/** Start of every random world; ticks are minutes from here on. */
export const START: Micros = toMicros('2026-01-01T00:00:00Z')
export const SECOND = 1_000_000
export const MINUTE = 60 * SECOND

/** Prices at scale 9: cents, 6 decimals (so that marks meet their ties) and all 9. */
const price = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((cents) => cents * 10_000_000),
  fc.integer({ min: 0, max: 1_000_000 }).map((marks) => marks * 1000),
  fc.integer({ min: 0, max: 2_000_000 }).map((halves) => halves * 500),
  fc.integer({ min: 0, max: 1_000_000_000 }),
)
const spread = fc.oneof(
  fc.constantFrom(10_000_000, 20_000_000, 20_000_001, 100_000_000, 100_000_001, 200_000_000, 200_000_001),
  fc.integer({ min: -20_000_000, max: 300_000_000 }),
  fc.constant(0),
)
/** Depths at scale 6, around the least one of 50 contracts. */
const depth = fc.oneof(
  fc.constantFrom(50_000_000, 49_999_999, 300_000_000, 900_000_000),
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.constant(Number.NaN),
)
/** Seconds that meet the boundary ages of random-spec.ts often. */
const gap = fc.oneof(
  fc.constantFrom(0, 30, 60, 61, 90, 120, 121, 300, 600, 601).map((s) => s * SECOND),
  fc.integer({ min: 0, max: 240 * SECOND }),
)

const row = fc.record({
  gap,
  delay: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 1 * SECOND, 5 * SECOND, 5 * SECOND + 1) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 400 * SECOND }) },
  ),
  revised: fc.boolean(),
  confirmed: fc.option(gap, { nil: null }),
  kind: fc.constantFrom('book', 'book', 'book', 'bid', 'ask', 'trade', 'book_trade', 'book_trade', 'reported', 'empty'),
  bid: price,
  spread,
  bid_depth: depth,
  ask_depth: depth,
  trade: price,
  trade_age: gap,
  /** Keeps the row near its predecessor, so that outlier windows form; else it is a spike. */
  steady: fc.integer({ min: 0, max: 9 }).map((n) => n > 1),
  step: fc.integer({ min: -10_000_000, max: 10_000_000 }),
})
type RandomRow = typeof row extends fc.Arbitrary<infer T> ? T : never

/** A row of a busy market: less than a minute after the last one, a book that is mostly tight, no spike in most. */
const busy_row: fc.Arbitrary<RandomRow> = fc
  .tuple(row, fc.integer({ min: 0, max: 59 }), fc.constantFrom('book', 'book_trade'), fc.nat(9))
  .map(([item, seconds, kind, dice]) => ({
    ...item,
    gap: seconds * SECOND,
    delay: dice === 0 ? item.delay : SECOND,
    kind: dice === 1 ? item.kind : kind,
    spread: dice < 3 ? item.spread : 10_000_000 + dice,
    steady: dice > 1 || item.steady,
  }))

/** Columns of random quotes: gaps, one-sided, crossed and locked books, trades, reported values, late rows and revisions. */
export function randomColumns(name: string, rows_max = 30): fc.Arbitrary<QuoteColumns> {
  return fc
    .tuple(
      fc.oneof(
        { weight: 1, arbitrary: fc.array(row, { maxLength: rows_max }) },
        { weight: 2, arbitrary: fc.array(busy_row, { minLength: rows_max, maxLength: 3 * rows_max }) },
      ),
      fc.integer({ min: 300_000_000, max: 700_000_000 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([rows, level, shuffled, publishes]) => columnsOf(name, expand(rows, level, publishes), shuffled, publishes))
}

type FlatRow = Record<(typeof QUOTE_NUMBERS)[number], number> & { revision: number }

/** @param publishes known_at is a publication later than the reception */
function expand(rows: readonly RandomRow[], level: number, publishes: boolean): FlatRow[] {
  let source_at = START - 5 * MINUTE
  let mid = level
  return rows.flatMap((item) => {
    source_at += item.gap
    mid = Math.min(900_000_000, Math.max(0, mid + item.step))
    const first = flatten(item, source_at, item.steady ? mid : item.bid)
    const received_at = first.received_at + item.trade_age
    const second = { ...first, revision: 2, received_at, known_at: received_at, bid: first.bid + 1_000_000 }
    const known = item.revised ? [first, second] : [first]
    return publishes ? known.map((flat) => ({ ...flat, known_at: flat.received_at + item.gap })) : known
  })
}

function flatten(item: RandomRow, source_at: Micros, bid: number): FlatRow {
  const has = (...kinds: string[]) => kinds.includes(item.kind)
  const none = Number.NaN
  return {
    source_at,
    received_at: source_at + item.delay,
    known_at: source_at + item.delay,
    confirmed_at: item.confirmed === null ? none : source_at + item.confirmed,
    source_sequence: none,
    bid: has('book', 'book_trade', 'bid') ? bid : none,
    ask: has('book', 'book_trade', 'ask') ? bid + item.spread : none,
    bid_depth: item.bid_depth,
    ask_depth: item.ask_depth,
    last_trade: has('trade', 'book_trade') ? (item.steady ? bid : item.trade) : none,
    last_trade_at: has('trade', 'book_trade') ? source_at - item.trade_age : none,
    reported_probability: has('reported') ? bid : none,
    revision: 1,
  }
}

/** Rows as columns; shuffled ones arrive in no order. Columns without any value are left out, as the loader does. */
function columnsOf(name: string, rows: readonly FlatRow[], shuffled: boolean, publishes: boolean): QuoteColumns {
  const order = shuffled ? rows.map((item, i) => ({ item, at: (i * 7919) % 31 })).sort((a, b) => a.at - b.at) : null
  const sorted = order === null ? rows : order.map(({ item }) => item)
  const column = (field: (typeof QUOTE_NUMBERS)[number]) => Float64Array.from(sorted, (item) => item[field])
  const optional = QUOTE_NUMBERS.slice(publishes ? 2 : 3).flatMap((field) => {
    const values = column(field)
    return values.every(Number.isNaN) ? [] : [[field, values]]
  })
  return {
    length: sorted.length,
    recordId: (position) => `${name}_${position}`,
    source_at: column('source_at'),
    received_at: column('received_at'),
    revision: Int32Array.from(sorted, (item) => item.revision),
    ...Object.fromEntries(optional),
  }
}

const instant = fc.integer({ min: -2, max: 35 }).map((minutes) => START + minutes * MINUTE)
const clocks = { source_at: instant, delay: fc.constantFrom(0, 5 * SECOND, 5 * SECOND + 1, 4 * MINUTE) }

const resolutions = (name: string): fc.Arbitrary<Resolution[]> =>
  fc
    .array(
      fc.record({
        ...clocks,
        finality: fc.constantFrom('proposed', 'disputed', 'final', 'final', 'withdrawn' as const),
        payout: fc.constantFrom('0', '1', '0.5', '0.3333333335', null),
        same_chain: fc.boolean(),
      }),
      { maxLength: 4 },
    )
    .map((items) =>
      withFinalInstants(
        items.map((item, i) => {
          const source_at = item.same_chain ? items[0]!.source_at : item.source_at
          return {
            resolution_id: `${name}_res_${i}`,
            evidence_id: `${name}_ev_${i}`,
            revision: i + 1,
            source_at,
            received_at: source_at + item.delay + i * SECOND,
            finality: item.finality as Resolution['finality'],
            payout: item.payout === null ? null : new Decimal(item.payout),
          }
        }),
      ),
    )

const states: fc.Arbitrary<MarketState[]> = fc
  .array(
    fc.record({
      ...clocks,
      status: fc.constantFrom('open', 'paused', 'closed', 'resolving', 'voided', 'resolved', 'open', null),
      closes_at: fc.option(instant, { nil: null }),
      days: fc.option(fc.integer({ min: 1, max: 90 }), { nil: null }),
    }),
    { maxLength: 3 },
  )
  .map((items) =>
    items.map((item, i) => ({
      source_at: item.source_at,
      received_at: item.source_at + item.delay,
      revision: i + 1,
      status: item.status as MarketState['status'],
      closes_at: item.closes_at,
      expected_resolution_at: item.days === null ? null : START + item.days * 1440 * MINUTE,
    })),
  )

const trades = (name: string): fc.Arbitrary<Trade[]> =>
  fc
    .array(fc.record({ ...clocks, price, quantity: fc.integer({ min: 1, max: 500 }) }), { maxLength: 12 })
    .map((items) =>
      items.map((item, i) => ({
        trade_id: `${name}_trd_${i}`,
        source_at: item.source_at,
        received_at: item.source_at + item.delay,
        price: new Decimal(item.price).div(1e9),
        quantity: new Decimal(item.quantity),
      })),
    )

const rarely = <T>(arbitrary: fc.Arbitrary<T[]>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary })

/** Everything about one random leg. */
export function randomLegData(name: string): fc.Arbitrary<LegData> {
  return fc.record({
    quotes: randomColumns(`${name}_own`),
    other: fc.option(randomColumns(`${name}_other`), { nil: null }),
    resolutions: rarely(resolutions(name)),
    states: rarely(states),
    trades: trades(name),
  })
}

/**
 * A market that sends a tight book before nearly every minute, for longer than a block of the bulk replay: a walk with some
 * spikes that stay or go, wide or crossed books, silences, rows that come late and several rows in one minute.
 */
export function denseLegData(name: string, minutes: number): fc.Arbitrary<LegData> {
  return fc.tuple(fc.integer({ min: 1 }), fc.constantFrom(0, 1, 3)).map(([seed, percent]) => {
    const random = below(seed)
    const rows: FlatRow[] = []
    let mid = 400_000_000
    for (let minute = 0; minute < minutes; minute++) {
      const odd = random(100) < percent ? random(6) : -1
      mid = Math.min(900_000_000, Math.max(100_000_000, mid + (random(2001) - 1000) * 500))
      if (odd === 0) continue
      if (odd === 1) mid += random(2) === 0 ? 90_000_000 : -90_000_000
      const spike = odd === 2 ? 120_000_000 : 0
      const spread = odd === 3 ? 150_000_000 : odd === 4 ? -1_000_000 : 10_000_000
      for (let again = 0; again <= (odd === 5 ? 2 : 0); again++) {
        const source_at = START + minute * MINUTE - (59 - again * 7) * SECOND + random(6_000_000)
        const delay = random(200) === 0 ? 3 * MINUTE : SECOND
        rows.push({ ...tightBook(source_at, mid + spike, spread), received_at: source_at + delay })
      }
    }
    const quotes = columnsOf(name, rows, false, false)
    return { quotes, other: null, resolutions: [], states: [], trades: [] }
  })
}

function tightBook(source_at: Micros, bid: number, spread: number): FlatRow {
  const none = Number.NaN
  const row = { source_at, received_at: source_at, known_at: source_at, revision: 1, bid, ask: bid + spread }
  const rest = { bid_depth: none, ask_depth: none, last_trade: none, last_trade_at: none, reported_probability: none }
  return { ...row, ...rest, confirmed_at: none, source_sequence: none }
}

/** xorshift32 below a bound. */
function below(seed: number): (bound: number) => number {
  let state = seed | 1
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}
