import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowOrder } from '../../../warehouse/duckdb/write/row-order.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { queryTable, step, testWarehouse } from '../log/fixtures.ts'

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger())

test('property: ordinals are sorted by the keys, stably', () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 300 }), number, number)
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const half = rows.map(([code, a, b]) => [code, Math.trunc(a / 2), Math.trunc(b / 2)] as const)
      const keys = [
        Uint16Array.from(half, ([code]) => code),
        Float64Array.from(half, ([, a]) => a),
        Float64Array.from(half, ([, , b]) => b),
      ]
      const sorted = half
        .map((values, ordinal) => ({ values, ordinal }))
        .sort((x, y) => x.values.map((value, n) => value - y.values[n]!).find((difference) => difference !== 0) ?? 0)
      expect([...rowOrder(rows.length, keys)]).toEqual(sorted.map(({ ordinal }) => ordinal))
    }),
    { numRuns: sized(40, 300), seed: SEED },
  )
})

const ROWS = 3_000

/** The rows of a file as it has them, and as DuckDB sorts them by the table's key. */
async function ordersOf(rows: readonly Row[]) {
  const warehouse = await testWarehouse()
  await warehouse.append('market_metric', rows, step(1))
  const orderOf = async (sql: string) =>
    (await queryTable(warehouse, 'market_metric', `SELECT row_ordinal AS place FROM rows ${sql}`)).map(
      ({ place }) => place,
    )
  const key = 'market_id, source_at, received_at, row_ordinal'
  return { written: await orderOf(''), sorted: await orderOf(`ORDER BY ${key}`) }
}

function metricRow(n: number, more: Row = {}): Row {
  const source_at = Date.UTC(2026, 0, 1) * 1000 + ((n * 7919) % 90_000) * 1_000_003
  const market_id = `m${(n * 31) % 13}`
  const names = { metric_id: `mtc_${n}`, revision: 1, venue_id: 'v', source_market_id: market_id, market_id }
  return { ...names, volume_24h: `${n}.5`, source_at, received_at: source_at + (n % 3), ...more }
}

test.each<[string, (n: number) => Row]>([
  ['that come in another order', (n) => metricRow(n)],
  ['that come in the order of their instants', (n) => metricRow(n, { source_at: 1_700_000_000_000_000 + n })],
  ['with equal keys', (n) => metricRow(n, { source_at: 1_700_000_000_000_000, received_at: 1_700_000_000_000_001 })],
  ['whose markets do not repeat', (n) => metricRow(n, { market_id: `m${n}` })],
  [
    'with instants as texts',
    (n) => metricRow(n, { source_at: `2026-01-01T00:00:${String(n % 60).padStart(2, '0')}Z` }),
  ],
  ['from before 1970', (n) => metricRow(n, { source_at: -1_000_000_000_000 + ((n * 17) % 100) })],
])('a file of rows %s lies in the order of the table', async (_, rowAt) => {
  const { written, sorted } = await ordersOf(Array.from({ length: ROWS }, (__, n) => rowAt(n)))
  expect(written).toHaveLength(ROWS)
  expect(written).toEqual(sorted)
})

test('rows without a value in the key come last', async () => {
  const warehouse = await testWarehouse()
  const quotes = Array.from({ length: ROWS }, (_, n) => ({
    ...{ record_id: `obs_${n}`, revision: 1, venue_id: 'v', source_market_id: 'm', market_id: 'm', outcome_id: 'o' },
    source_series_id: n % 3 === 0 ? null : `s${n % 4}`,
    source_at: 1_700_000_000_000_000 + n,
    received_at: 1_700_000_000_000_000 + n,
  }))
  await warehouse.append('market_quote', quotes, step(1))
  const read = (order: string) =>
    queryTable(warehouse, 'market_quote', `SELECT source_series_id AS series, row_ordinal AS place FROM rows ${order}`)
  const written = await read('')
  expect(written).toEqual(await read('ORDER BY source_series_id, row_ordinal'))
  expect(written.at(-1)).toEqual({ series: null, place: ROWS - 3 })
})
