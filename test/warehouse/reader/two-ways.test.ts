import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { HistoryPage } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'
import { openedWorld } from './opened-world.ts'
import { MINUTE, START } from './world.ts'

/** Histories asked in two ways: samples and the records they are of, a documented query and the view. */
const { end, reader, viewsAsOf } = openedWorld()
const PAGE = { after: null, include_corrections: false, limit: 1000, as_of: end } as const

test('the documented query over stored reports counts each standing trade once', () =>
  viewsAsOf(end, async (query) => {
    const document = readFileSync(join(ROOT, 'docs/warehouse.md'), 'utf8')
    const blocks = [...document.matchAll(/```sql\n([\s\S]*?);\n```/g)].map(([, sql]) => sql!)
    const recipe = blocks.find((sql) => sql.includes("delta_scan('.tidemark/warehouse/public_trade')"))!
    const asked = recipe
      .replace("delta_scan('.tidemark/warehouse/public_trade')", 'trade_report_history')
      .replace('2026-01-17 00:00:00Z', formatMicros(end))
    const standing = "from public_trade where correction_kind is distinct from 'void' group by all order by all"
    const trades = await query(`select venue_id, count(*) as trades, sum(quantity) as volume ${standing}`)
    expect(await query(asked)).toEqual(trades)
    expect(trades.length).toBeGreaterThan(0)
  }))

test.each(['published', 'source', 'calculated'] as const)('samples by %s are a fold of the history', (time_domain) =>
  viewsAsOf(end, async () => {
    const { history } = reader()
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 2000 }),
        fc.integer({ min: 1, max: 1500 }),
        fc.constantFrom(null, 'valid', 'corrected'),
        async (begin, minutes, quality_state) => {
          const from = START + begin * MINUTE
          const sampled = { from, to: from + minutes * MINUTE, interval: 'PT1H' } as const
          const page: HistoryPage = { ...PAGE, time_domain, quality_state, start: from, end: sampled.to }
          const market = { market_id: 'mkt_0', outcome_id: null, field: null, trades: true }
          const asked = [
            [history.observations('idx_1', page), history.sampledObservations('idx_1', sampled, page)],
            [history.marketObservations(market, page), history.sampledMarketObservations(market, sampled, page)],
          ]
          for (const [raw, samples] of await Promise.all(asked.map((both) => Promise.all(both)))) {
            expect(raw!.length).toBeLessThan(page.limit)
            const [expected, found] = [foldedBy(raw!, page), foldedBy(samples!, page)]
            expect(samples!.length).toBe(found.size)
            expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
            // Records of one instant are ordered by their commit, which the history of an index does not show.
            for (const [name, { at, ids }] of found) {
              expect(expected.get(name)!.at).toBe(at)
              expect(expected.get(name)!.ids).toContain(ids[0])
            }
            compared += found.size
          }
        },
      ),
      { numRuns: sized(4, 40) },
    )
    expect(compared).toBeGreaterThan(0)
  }),
)

/** The newest priced records of each hour and series, by the clock of the page. */
function foldedBy(rows: readonly Row[], page: HistoryPage): Map<string, { at: Micros; ids: string[] }> {
  const newest = new Map<string, { at: Micros; ids: string[] }>()
  for (const row of rows) {
    const at = instantOf(row, page.time_domain)
    const value = 'level' in row ? row.level : row.value
    if (at === null || value === null || row.quality_state === 'stale') continue
    if ('level' in row && row.source_cutoff_at === null) continue
    const hour = Math.floor(at / (60 * MINUTE))
    const name = [hour, row.outcome_id, row.source_series_id, row.field].join(' ')
    const known = newest.get(name)
    const id = String(row.observation_id)
    if (known === undefined || at > known.at) newest.set(name, { at, ids: [id] })
    else if (at === known.at) known.ids.push(id)
  }
  return newest
}

function instantOf(row: Row, time_domain: HistoryPage['time_domain']): Micros | null {
  const source = 'source_cutoff_at' in row ? row.source_cutoff_at : row.source_at
  const value = { published: row.published_at, source, calculated: row.calculated_at }[time_domain]
  return value == null ? null : toMicros(value)
}
