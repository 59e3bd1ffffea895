import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { computeImpact } from '../../../operations/governance/impact/compute-impact.ts'
import { outcomeIdOf } from '../../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { clockedWarehouse, marketId, publishMarkets } from '../../support/selection-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000 })
const START = toMicros('2026-05-01T00:00:00Z')
const HOUR = 3_600_000_000

/** Factor on the quantities of the books in worked example E22; null: no book is stored, and the quote has moved. */
const TICKS: readonly (number | null)[] = [1, 2, 3, null]

function recordOf(tick: number): Row {
  const source_at: Micros = START + tick * 6 * HOUR - 10_000_000
  const market_id = marketId('a')
  return {
    ...{ revision: 1, supersedes_id: null, correction_reason: null, venue_id: 'polymarket', source_series_id: null },
    ...{ source_market_id: 'a', market_id, outcome_id: outcomeIdOf(market_id, 'YES') },
    ...{ source_at: formatMicros(source_at), received_at: formatMicros(source_at + 800_000) },
  }
}

function quoteOf(times: number | null, tick: number): Row {
  const prices = times === null ? { bid: '0.70', ask: '0.72' } : { bid: '0.62', ask: '0.64' }
  return { record_id: `obs_${tick}`, ...recordOf(tick), ...prices }
}

function bookOf(times: number, tick: number): Row {
  const side = (levels: readonly (readonly [string, number])[]) =>
    levels.map(([price, quantity]) => ({ price, quantity: String(quantity * times) }))
  const [bids, asks] = [
    side([
      ['0.62', 400],
      ['0.60', 300],
    ]),
    side([
      ['0.64', 300],
      ['0.66', 500],
    ]),
  ]
  return { order_book_id: `obk_${tick}`, ...recordOf(tick), price_unit: 'probability', bids, asks, asks_derived: false }
}

const DRAFT = `
index: { index_id: idx_cost, slug: cost, symbol: COST, name: Cost, base_value: "1000", base_date: 2026-06-01T00:00:00Z }
methodology: { methodology_id: mth_cost, version: "1", name: Cost }
versions:
  - version: "1"
    effective_from: 2026-06-01T00:00:00Z
    calculation_frequency: PT6H
    constituents:
      - { constituent_id: con_a, venue_id: polymarket, source_market_id: a, outcome: "YES", target_weight: "1" }
`

test('an impact says what it cost to move the level, from the book stored by each tick, by either engine', async () => {
  const folder = tempFolder()
  const { warehouse, at } = await clockedWarehouse(join(folder, 'warehouse'), '2026-04-30T00:00:00Z')
  await publishMarkets(warehouse, [{ id: 'a' }])
  at('2026-05-02T00:00:00Z')
  const append = (table: TableName, rows: readonly Row[]) => {
    const step = { app_id: `costs ${table}`, app_sequence: 1, stamp: { kind: 'wall' } } as const
    return warehouse.append(table, rows, { ...step, operation: 'TEST' })
  }
  await append('market_quote', TICKS.map(quoteOf))
  const file = join(folder, 'draft.yaml')
  writeFileSync(file, DRAFT)
  const window = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z', as_of: null }
  const compute = async (engine: 'exact' | 'reference') => computeImpact({ file, ...window, engine, warehouse })
  const unstored = (await compute('exact')).document
  const none = { basis_points: 100, ticks: 4, ticks_examined: 4, notional_at_least: null, notional_sufficient: null }
  expect(unstored).toMatchObject({
    manipulation_cost: {
      before: null,
      after: { ...none, ticks_without_depth: 4, unknown: [{ reason: 'DEPTH_NOT_STORED', ticks: 4 }] },
    },
  })
  await append(
    'order_book',
    TICKS.flatMap((times, tick) => (times === null ? [] : [bookOf(times, tick)])),
  )
  at('2026-05-03T00:00:00Z')
  const [exact, reference] = [await compute('exact'), await compute('reference')]
  expect(reference.text).toBe(exact.text)
  // Selling 400 to 0.62 pushes the bid to 0.60, by more than 1 % of 0.63: 400 x 0.38.
  const range = { ticks: 3, least: '152.000000', median: '304.000000', greatest: '456.000000' }
  expect(exact.document).toMatchObject({
    manipulation_cost: {
      after: {
        ...{
          ticks: 4,
          ticks_examined: 4,
          ticks_without_depth: 1,
          notional_at_least: range,
          notional_sufficient: range,
        },
        unknown: [{ reason: 'DEPTH_NOT_OF_TICK', ticks: 1 }],
      },
    },
  })
  await warehouse.close()
})
