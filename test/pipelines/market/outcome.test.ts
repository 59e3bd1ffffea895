import { describe, expect, test } from 'vitest'
import { freezeInstant } from '../../../pipelines/market/freeze.ts'
import { formatMark } from '../../../pipelines/market/mark.ts'
import { type MarkHistory, markOutcome } from '../../../pipelines/market/outcome.ts'
import type { OutcomeInput } from '../../../pipelines/market/quote.ts'
import type { MarketStatus } from '../../../vocabulary/market.ts'
import { DAY, HOUR, MINUTE, mark, marketState, NOW, parameters, quote, resolution } from '../../support/index-world.ts'

const P = parameters()
const ago = (age: number) => NOW - age
const BOOK = quote({ bid: '0.60', ask: '0.62' })
const input = (rest: Partial<OutcomeInput>): OutcomeInput => ({
  quote: BOOK,
  other: null,
  resolution: null,
  market: null,
  can_freeze: true,
  ...rest,
})
/** Marks newest first: 0.52 of one hour ago, 0.50 of two hours ago. */
const HISTORY: MarkHistory = {
  mark: mark('0.52', ago(HOUR)),
  earlier: { mark: mark('0.50', ago(2 * HOUR)), earlier: null },
}
const got = (rest: Partial<OutcomeInput>, history: MarkHistory = HISTORY, cutoff = NOW) => {
  const { mark: found, provisional, reason } = markOutcome(input(rest), history, cutoff, P)
  return { mark: found === null ? null : `${found.rule} ${formatMark(found)}`, provisional, reason }
}

describe('M0 settled', () => {
  const final = resolution(ago(MINUTE), '0.5', { evidence_id: 'obs_final' })

  test('a final payout beats every book, at full confidence, with its own time and evidence', () => {
    const { mark: found } = markOutcome(input({ resolution: final }), HISTORY, NOW, P)
    expect(found).toMatchObject({ rule: 'M0', source_at: ago(MINUTE), source_ids: ['obs_final'] })
    expect(found!.value.toFixed()).toBe('0.5')
    expect(found!.c_rule.toFixed()).toBe('1')
  })

  test('a final resolution beats a market that is still closed, paused or voided', () => {
    for (const status of ['closed', 'paused', 'voided', 'resolving'] as const)
      expect(got({ resolution: final, market: marketState(ago(MINUTE), status) }).mark).toBe('M0 0.500000')
  })

  test('a resolution that names no payout for the outcome settles nothing', () => {
    expect(got({ resolution: resolution(ago(MINUTE), null) }).mark).toBe('M1 0.610000')
  })
})

describe('frozen', () => {
  test.each<[string, Partial<OutcomeInput>, string | null]>([
    [
      'closed, without a time: what was before the record',
      { market: marketState(ago(90 * MINUTE), 'closed') },
      'frozen 0.500000',
    ],
    [
      'closed at a known time',
      { market: marketState(ago(MINUTE), 'closed', { closes_at: ago(90 * MINUTE) }) },
      'frozen 0.500000',
    ],
    [
      'a mark of the closing instant itself is too late',
      { market: marketState(ago(HOUR), 'closed') },
      'frozen 0.500000',
    ],
    ['resolving', { market: marketState(ago(MINUTE), 'resolving') }, 'frozen 0.520000'],
    [
      'a proposed resolution',
      { resolution: resolution(ago(30 * MINUTE), '1', { finality: 'proposed' }) },
      'frozen 0.520000',
    ],
    [
      'a disputed one, while the market is open',
      { resolution: resolution(ago(90 * MINUTE), '1', { finality: 'disputed' }) },
      'frozen 0.500000',
    ],
    [
      'the earlier of closing and proposal',
      {
        market: marketState(ago(MINUTE), 'closed', { closes_at: ago(90 * MINUTE) }),
        resolution: resolution(ago(MINUTE), '1', { finality: 'proposed' }),
      },
      'frozen 0.500000',
    ],
    ['nothing before it', { market: marketState(ago(3 * HOUR), 'closed') }, null],
  ])('%s', (_, rest, expected) => {
    expect(got(rest)).toEqual({ mark: expected, provisional: true, reason: 'FROZEN' })
  })

  test('at any age, with its own source time and a quarter of confidence', () => {
    const late = NOW + 30 * DAY
    const { mark: found } = markOutcome(input({ market: marketState(NOW, 'resolving') }), HISTORY, late, P)
    expect(found).toMatchObject({ rule: 'frozen', origin_rule: 'M1', source_at: ago(HOUR), confirmed_at: ago(HOUR) })
    expect(found!.c_rule.toFixed()).toBe('0.25')
  })

  test.each<MarketStatus>(['scheduled', 'open', 'resolved', 'archived'])('not while the status is %s', (status) => {
    expect(got({ market: marketState(ago(MINUTE), status, { closes_at: ago(2 * MINUTE) }) }).mark).toBe('M1 0.610000')
  })

  test('a close date in the past closes nothing: only a status does', () => {
    expect(freezeInstant(input({ market: marketState(ago(HOUR), null, { closes_at: ago(HOUR) }) }))).toBeNull()
  })
})

describe('voided', () => {
  test('without a payout: the last mark before the announcement, whatever the closing time', () => {
    const market = marketState(ago(90 * MINUTE), 'voided', { closes_at: ago(150 * MINUTE) })
    expect(got({ market })).toEqual({ mark: 'frozen 0.500000', provisional: true, reason: 'FROZEN' })
  })

  test('with one: the payout', () => {
    const market = marketState(ago(90 * MINUTE), 'voided')
    expect(got({ market, resolution: resolution(ago(MINUTE), '0.5') }).mark).toBe('M0 0.500000')
  })
})

describe('paused', () => {
  const market = marketState(ago(MINUTE), 'paused')

  test('books, reports and the other outcome are ignored: the previous mark is carried', () => {
    expect(got({ market })).toEqual({ mark: 'M7 0.520000', provisional: false, reason: null })
    expect(got({ market, quote: quote({ reported_probability: '0.7' }) }).mark).toBe('M7 0.520000')
    expect(got({ market, quote: null, other: BOOK }).mark).toBe('M7 0.520000')
  })

  test('a last trade still counts', () => {
    expect(got({ market, quote: quote({ last_trade: '0.7', last_trade_at: ago(MINUTE) }) }).mark).toBe('M5 0.700000')
  })
})

describe('M7 carry', () => {
  const carried = (cutoff: number) => markOutcome(input({ quote: null }), HISTORY, cutoff, P).mark

  test('keeps value and source time, at a quarter of confidence, up to max_carry inclusive', () => {
    const found = carried(ago(HOUR) + DAY)!
    expect(found).toMatchObject({ rule: 'M7', origin_rule: 'M1', source_at: ago(HOUR), confirmed_at: ago(HOUR) })
    expect(found.c_rule.toFixed()).toBe('0.25')
    expect(carried(ago(HOUR) + DAY + 1)).toBeNull()
  })

  test('nothing to carry is nothing', () => {
    expect(got({ quote: null }, null)).toEqual({ mark: null, provisional: false, reason: null })
  })
})

test('a crossed book is named as the reason, also where another rule then gives the mark', () => {
  const crossed = { bid: '0.64', ask: '0.62' }
  expect(got({ quote: quote(crossed) }, null)).toEqual({ mark: null, provisional: false, reason: 'CROSSED_BOOK' })
  expect(got({ quote: quote({ ...crossed, last_trade: '0.7', last_trade_at: NOW }) })).toEqual({
    mark: 'M5 0.700000',
    provisional: false,
    reason: 'CROSSED_BOOK',
  })
  expect(got({ quote: quote(crossed), market: marketState(NOW, 'paused') }).reason).toBeNull()
})
