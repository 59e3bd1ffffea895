import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { complementOf, formatMark, type Mark, markOfQuote } from '../../../pipelines/market/mark.ts'
import { markOutcome } from '../../../pipelines/market/outcome.ts'
import {
  DAY,
  d,
  HOUR,
  MINUTE,
  mark,
  NOW,
  parameters,
  type QuoteText,
  quote,
  SECOND,
} from '../../support/index-world.ts'

const P = parameters()
const of = (text: QuoteText, books = true) => markOfQuote(quote(text), NOW, P, books)
const short = (found: Mark | null) => (found === null ? null : `${found.rule} ${formatMark(found)}`)
const ago = (age: number) => NOW - age
const traded = (last_trade: string, age: number) => ({ last_trade, last_trade_at: ago(age) })
const sizes = (bid_depth: string, ask_depth: string) => ({ bid_depth, ask_depth })

/** Each limit: the value on it belongs to the better rule. */
describe('the first rule that applies', () => {
  const recent = traded('0.47', 15 * MINUTE)
  test.each<[string, QuoteText, string | null]>([
    ['spread 0.02', { bid: '0.60', ask: '0.62' }, 'M1 0.610000'],
    ['spread 0.03, 50 at each touch', { bid: '0.60', ask: '0.63', ...sizes('50', '50') }, 'M2 0.615000'],
    ['spread 0.10', { bid: '0.50', ask: '0.60', ...sizes('100', '300') }, 'M2 0.525000'],
    ['spread 0.03, 49 at one touch', { bid: '0.60', ask: '0.63', ...sizes('49.999999', '5000') }, 'M4 0.615000'],
    ['spread 0.03, one size unknown', { bid: '0.60', ask: '0.63', bid_depth: '5000' }, 'M4 0.615000'],
    ['spread 0.03, no size, a trade inside', { bid: '0.60', ask: '0.63', ...traded('0.61', MINUTE) }, 'M3 0.610000'],
    ['spread 0.20, a trade 15 min old', { bid: '0.40', ask: '0.60', ...recent }, 'M3 0.470000'],
    ['spread above 0.20', { bid: '0.40', ask: '0.600001', ...recent }, 'M5 0.470000'],
    ['a trade just older than 15 min', { bid: '0.40', ask: '0.60', ...traded('0.47', 15 * MINUTE + 1) }, 'M5 0.470000'],
    ['spread 0.10, no size, an old trade', { bid: '0.50', ask: '0.60', ...traded('0.2', HOUR) }, 'M4 0.550000'],
    ['no book, a trade 1 h old', traded('0.47', HOUR), 'M5 0.470000'],
    ['no book, a trade just older than 1 h', traded('0.47', HOUR + 1), null],
    ['a bid of zero is a bid', { bid: '0', ask: '0.02' }, 'M1 0.010000'],
    ['an ask of one is an ask', { bid: '0.98', ask: '1' }, 'M1 0.990000'],
    ['an ask above one', { bid: '0.98', ask: '1.01' }, null],
    ['a bid below zero', { bid: '-0.01', ask: '0.01' }, null],
    ['one side only', { bid: '0.60' }, null],
    ['nothing', {}, null],
  ])('%s', (_, text, expected) => {
    expect(short(of(text))).toBe(expected)
  })

  test('a book 60 s old is valid, a microsecond later it is not', () => {
    const book = { bid: '0.60', ask: '0.62' }
    expect(short(of({ ...book, source_at: ago(60 * SECOND) }))).toBe('M1 0.610000')
    expect(of({ ...book, source_at: ago(60 * SECOND + 1) })).toBeNull()
  })

  test('a confirmation keeps a book valid and never moves its source time', () => {
    const book = { bid: '0.60', ask: '0.62', source_at: ago(HOUR) }
    expect(of(book)).toBeNull()
    const confirmed = of({ ...book, confirmed_at: ago(30 * SECOND) })!
    expect(confirmed).toMatchObject({ rule: 'M1', source_at: ago(HOUR), confirmed_at: ago(30 * SECOND) })
    // A confirmation from after the cutoff was not known at it.
    expect(of({ ...book, confirmed_at: NOW + 1 })).toBeNull()
  })
})

describe('M5 last trade', () => {
  test.each<[string, QuoteText, string]>([
    ['below the bid is raised to it', { bid: '0.50', ...traded('0.40', MINUTE) }, 'M5 0.500000'],
    ['above the ask is lowered to it', { ask: '0.30', ...traded('0.40', MINUTE) }, 'M5 0.300000'],
    ['inside a wide book stands', { bid: '0.10', ask: '0.90', ...traded('0.40', 20 * MINUTE) }, 'M5 0.400000'],
    [
      'an old side does not clamp',
      { bid: '0.50', source_at: ago(61 * SECOND), ...traded('0.40', MINUTE) },
      'M5 0.400000',
    ],
    ['a crossed book does not clamp', { bid: '0.50', ask: '0.45', ...traded('0.40', MINUTE) }, 'M5 0.400000'],
  ])('%s', (_, text, expected) => {
    expect(short(of(text))).toBe(expected)
  })

  test('its source time is the trade, and it alone counts while a market is paused: books do not even clamp it', () => {
    expect(of(traded('0.40', MINUTE))).toMatchObject({ source_at: ago(MINUTE), confirmed_at: ago(MINUTE) })
    const text = { bid: '0.60', ask: '0.62', ...traded('0.40', MINUTE) }
    expect(short(of(text))).toBe('M1 0.610000')
    expect(short(of(text, false))).toBe('M5 0.400000')
  })
})

describe('M5r reported probability', () => {
  test('is quantized half even to 6 decimals', () => {
    expect(short(of({ reported_probability: '0.123456500' }))).toBe('M5r 0.123456')
    expect(short(of({ reported_probability: '0.123457500' }))).toBe('M5r 0.123458')
  })

  test('counts while its age is within max_carry, boundary included', () => {
    expect(of({ reported_probability: '0.5', source_at: ago(DAY) })?.rule).toBe('M5r')
    expect(of({ reported_probability: '0.5', source_at: ago(DAY + 1) })).toBeNull()
  })

  test('only where the venue shows nothing else: no book, no trade', () => {
    for (const shown of [{ bid: '0.1' }, { ask: '0.9' }, traded('0.4', 2 * HOUR)])
      expect(of({ reported_probability: '0.5', ...shown })).toBeNull()
    expect(of({ reported_probability: '0.5' }, false)).toBeNull()
  })

  test('a reported zero is a price, a missing one is none', () => {
    expect(short(of({ reported_probability: '0' }))).toBe('M5r 0.000000')
    expect(of({ bid_depth: '0' })).toBeNull()
  })
})

describe('M6 complement', () => {
  const outcome = { quote: null, resolution: null, market: null, can_freeze: false }

  test('is one minus the other outcome, derived, with its sources and nine tenths of its confidence', () => {
    const other = of({ record_id: 'obs_no', bid: '0.28', ask: '0.34', ...sizes('100', '100') })!
    const found = complementOf(other)
    expect(short(found)).toBe('M6 0.690000')
    expect(found).toMatchObject({
      derivation_rule: 'one_minus_other_outcome',
      source_ids: ['obs_no.bid', 'obs_no.ask'],
      source_at: other.source_at,
      confirmed_at: other.confirmed_at,
    })
    expect(found.c_rule.toFixed()).toBe('0.81')
  })

  test('comes after the own M5 and M5r and before a carried mark', () => {
    const other = quote({ bid: '0.28', ask: '0.30' })
    const history = { mark: mark('0.5', ago(MINUTE)), earlier: null }
    const rule = (own: QuoteText | null) =>
      markOutcome({ ...outcome, quote: own === null ? null : quote(own), other }, history, NOW, P).mark?.rule
    expect(rule({ reported_probability: '0.6' })).toBe('M5r')
    expect(rule(traded('0.6', MINUTE))).toBe('M5')
    expect(rule(null)).toBe('M6')
    expect(rule({ bid: '0.64', ask: '0.60' })).toBe('M6')
  })
})

describe('for any book', () => {
  const price = fc.nat(1000).map((n) => (n / 1000).toFixed(3))
  const size = fc.option(fc.nat(2000).map(String), { nil: undefined })
  const books = fc.record({ bid: price, ask: price, bid_depth: size, ask_depth: size, last: price, age: fc.nat(7200) })
  const given = ({ bid, ask, bid_depth, ask_depth, last, age }: { [k: string]: string | number | undefined }) =>
    ({
      bid,
      ask,
      ...(bid_depth === undefined ? {} : { bid_depth }),
      ...(ask_depth === undefined ? {} : { ask_depth }),
      last_trade: last,
      last_trade_at: ago(Number(age) * SECOND),
    }) as QuoteText

  test('marks of M1 to M5 lie within [bid, ask]; a crossed or locked book never makes one of M1 to M4', () => {
    fc.assert(
      fc.property(books, (book) => {
        const found = of(given(book))
        if (found === null) return
        const crossed = +book.bid >= +book.ask
        if (crossed) expect(found.rule).toBe('M5')
        else expect(found.value.gte(book.bid) && found.value.lte(book.ask)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('sizes without a book, and a book without sizes, never count as zero', () => {
    fc.assert(
      fc.property(books, (book) => {
        const { bid: _, ...half } = given(book)
        const found = of(half)
        expect(found === null || found.rule === 'M5').toBe(true)
        if (found !== null) expect(found.value.lte(Math.min(+book.ask, +book.last))).toBe(true)
      }),
    )
  })

  test('mirrored: the book of one minus every price has one minus the mark', () => {
    const mirror = (text: string) => d('1').minus(text).toFixed()
    fc.assert(
      fc.property(books, (book) => {
        const found = of(given(book))
        const other = of(
          given({
            ...book,
            bid: mirror(book.ask),
            ask: mirror(book.bid),
            bid_depth: book.ask_depth,
            ask_depth: book.bid_depth,
            last: mirror(book.last),
          }),
        )
        expect(other?.rule).toBe(found?.rule)
        if (found !== null) expect(other!.value.plus(found.value).minus(1).abs().lte('0.000001')).toBe(true)
      }),
    )
  })
})
