import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backtestPublishedRatings, type RatingBacktestReport } from '../../../operations/rating/backtest-ratings.ts'
import { type AssessmentFacts, currentAssessment } from '../../../pipelines/review/current-assessment.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { renderRatingBacktest } from '../../../report/rating-backtest-report.ts'
import type { Band } from '../../../vocabulary/rating.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { type EndedCase, writeEnded } from '../../support/ended-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CLOSE = toMicros('2026-02-10T00:00:00Z')
const RANGE = { from: '2026-02-01T00:00:00Z', to: '2026-02-20T00:00:00Z', as_of: null, lead: 'P1D', delay: 'PT72H' }
const many = (count: number, name: string, band: Band | null, of: (n: number) => Partial<EndedCase> = () => ({})) =>
  Array.from({ length: count }, (_, n): EndedCase => ({ market_id: `mkt_${name}_${n}`, band, ...of(n) }))

const CASES: readonly EndedCase[] = [
  ...many(20, 'first', 'MR1', (n) => ({ is_disputed: n === 0 })),
  ...many(40, 'third', 'MR3', (n) => ({ is_disputed: n < 3, final_h: n === 9 ? 73 : 6 })),
  ...many(10, 'fifth', 'MR5', (n) => ({ is_disputed: n < 4, is_void: n === 9, final_h: n < 2 ? 100 : 72 })),
  ...many(4, 'unrated', 'NR', (n) => ({ is_disputed: n < 2 })),
  ...many(3, 'nobody', null),
  // Rated worse when the dispute was there already, and never decided: late, and of a void nothing is known.
  { market_id: 'mkt_ahead', band: 'MR2', band_later: 'MR5', is_disputed: true, final_h: null },
]

let warehouse: Warehouse
let report: RatingBacktestReport
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await writeEnded(warehouse, CASES, CLOSE)
  report = await backtestPublishedRatings({ ...RANGE, warehouse })
})
afterAll(() => warehouse.close())

const group = (name: string) => [...report.bands, report.rated, ...report.control].find((one) => one.group === name)!

describe('what happened with rated markets', () => {
  test('E19: 3 disputes in 40 MR3 markets are 7.5 %, [0.0258, 0.1986]', () => {
    expect(group('MR3').rates.dispute).toEqual({
      failures: 3,
      markets: 40,
      share: '0.0750',
      low: '0.0258',
      high: '0.1986',
    })
  })

  test('more than 72 hours is late, 72 are not; no winner is a void', () => {
    expect(group('MR3').rates.delay).toMatchObject({ failures: 1, markets: 40 })
    expect(group('MR5').rates.delay).toMatchObject({ failures: 2, markets: 10 })
    expect(group('MR5').rates.void).toMatchObject({ failures: 1, markets: 10, share: '0.1000' })
    expect(group('MR1').rates.void).toMatchObject({ failures: 0, markets: 20, share: '0.0000' })
  })

  test('a rating that was published later is not looked at; without an outcome for so long a market is late', () => {
    const ahead = report.outcomes.find(({ market_id }) => market_id === 'mkt_ahead')!
    expect(ahead).toMatchObject({ group: 'MR2', failed: { dispute: true, delay: true, void: null }, delay_h: null })
  })

  test('markets that were not rated, or never, are the control and no band', () => {
    expect(group('NR').rates.dispute).toMatchObject({ failures: 2, markets: 4, share: '0.5000' })
    expect(group('none')).toMatchObject({ markets: 3, rates: { dispute: { failures: 0, markets: 3 } } })
    expect(group('rated').markets).toBe(71)
    expect(group('MR4').rates.dispute).toEqual({ failures: 0, markets: 0, share: null, low: null, high: null })
  })

  test('separation is of all pairs of one that failed and one that did not', () => {
    // failed MR1 1, MR2 1, MR3 3, MR5 4; held 19, 0, 37, 6: worse 19 x (1 + 3 + 4) + 37 x 4 = 300, equal 19 + 111 + 24 = 154
    expect(report.separation.dispute).toEqual({ pairs: 9 * 62, share: ((300 - 0 + 154 / 2) / (9 * 62)).toFixed(4) })
  })
})

test('the statement and the pure rule give one rating of each market', async () => {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_rating'] })
  try {
    const rows = await session.query('select * from market_rating_history')
    for (const { market_id, observed_at, rating_id } of report.outcomes) {
      const facts = rows
        .filter((row) => row.market_id === market_id)
        .map((row) => ({
          record_id: String(row.rating_id),
          chain_id: row.chain_id,
          revision: row.revision,
          kind: (row.issuer as { kind: string }).kind,
          review_state: row.review_state,
          effective_from: toMicros(row.effective_from),
          effective_to: null,
          published_at: toMicros(row.published_at),
          row_ordinal: row.row_ordinal,
          overrides: row.override !== null,
        })) as unknown as AssessmentFacts[]
      expect(rating_id).toBe(currentAssessment(facts, toMicros(observed_at))?.record_id ?? null)
    }
  } finally {
    await session.close()
  }
})

test('a lead that no rating reaches back to leaves every market without one', async () => {
  const early = await backtestPublishedRatings({ ...RANGE, lead: 'P8D', warehouse })
  expect(early.rated.markets).toBe(0)
  expect(early.control.map(({ markets }) => markets)).toEqual([0, CASES.length])
  expect(renderRatingBacktest(early)).toContain('so the bands cannot be assessed')
})

test('a range that ends before it begins is refused', async () => {
  const refused = backtestPublishedRatings({ ...RANGE, from: RANGE.to, to: RANGE.from, warehouse })
  expect(await refusalOf(refused)).toMatchObject({ code: 'VALIDATION_RANGE_INVALID' })
})

test('the report is one page that loads nothing, and says every figure in words', () => {
  const html = renderRatingBacktest(report)
  expect(html).toContain('3 of 40: 7.5 % [2.6 %, 19.9 %]')
  expect(html).toContain('A failed market had a worse band than a sound one: disputes in 67.6 % of 558 pairs')
  expect(html).not.toMatch(/(src|href)="http/)
  expect(renderRatingBacktest(report)).toBe(html)
})
