import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAppendGuard, PlanOvertaken } from '../../../operations/import/append-guard.ts'
import { commitPlan } from '../../../operations/import/commit-plan.ts'
import type { TablePlan } from '../../../operations/import/table-plan.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Plans of several commits of one table, as a wall-clock import of more than 50,000 rows has them, with a row in each. */
const folder = tempFolder()
const SEQUENCES = [1, 2, 3, 4, 5]
const AT = '2026-01-01T00:00:00Z'
let count = 0

const rowOf = (n: number): Row => ({
  metric_id: `met_${n}`,
  revision: 1,
  supersedes_id: null,
  correction_reason: null,
  venue_id: 'kalshi',
  source_market_id: `m${n}`,
  market_id: `mkt_${n}`,
  volume_24h: '1.000000',
  open_interest: null,
  liquidity_notional: null,
  source_at: AT,
  received_at: AT,
})

const PLAN: TablePlan = {
  table: 'market_metric',
  digest: 'digest',
  commits: SEQUENCES.map((sequence) => ({
    sequence,
    turn: 0,
    stamps: [],
    row_count: 1,
    rows: [rowOf(sequence)],
  })),
}

async function stored(warehouse: Warehouse): Promise<number> {
  const { files } = await warehouse.log('market_metric').snapshot()
  return files.reduce((sum, { stats }) => sum + (JSON.parse(stats) as { numRecords: number }).numRecords, 0)
}

const options = { archive: 'test', clock: 'wall' } as const
const newWarehouse = () => {
  count += 1
  return openWarehouse({ root: join(folder, `warehouse-${count}`), create: true })
}

test('every commit of a table is made, under a guard that another commit of the plan overtakes, too', async () => {
  const warehouse = await newWarehouse()
  const guard = await openAppendGuard(warehouse, ['market_metric'])
  expect(await commitPlan(warehouse, { tables: [PLAN] }, { ...options, guard })).toBe(SEQUENCES.length)
  expect(await stored(warehouse)).toBe(SEQUENCES.length)
  expect(await commitPlan(warehouse, { tables: [PLAN] }, options)).toBe(0)
  await warehouse.close()
})

test.each(SEQUENCES)('after commit %i fails no later one is made, and a repeat makes them all', async (failing) => {
  const warehouse = await newWarehouse()
  const broken: Warehouse = {
    ...warehouse,
    append: async (table, rows, wanted) => {
      if (wanted.app_sequence === failing) throw new Error('disk full')
      return warehouse.append(table, rows, wanted)
    },
  }
  await expect(commitPlan(broken, { tables: [PLAN] }, options)).rejects.toThrow('disk full')
  expect(await stored(warehouse)).toBe(failing - 1)
  expect(await commitPlan(warehouse, { tables: [PLAN] }, options)).toBe(SEQUENCES.length - failing + 1)
  expect(await stored(warehouse)).toBe(SEQUENCES.length)
  await warehouse.close()
})

test('an append that another overtakes is refused while the others of its group go on', async () => {
  const warehouse = await newWarehouse()
  const guards = await Promise.all(
    ['kalshi', 'manifold', 'polymarket'].map(() => openAppendGuard(warehouse, ['market_metric'])),
  )
  const step = (app_id: string) => ({ app_id, app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' }) as const
  const row = (venue_id: string): Row => ({ ...rowOf(1), venue_id, metric_id: `met_${venue_id}` })
  await warehouse.append('market_metric', [row('manifold')], step('before'))
  const all = await Promise.allSettled(
    ['kalshi', 'manifold', 'polymarket'].map((venue_id, n) =>
      guards[n]!.append('market_metric', [row(venue_id)], { ...step(venue_id), apart: venue_id }),
    ),
  )
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((all[1] as PromiseRejectedResult).reason).toBeInstanceOf(PlanOvertaken)
  expect(await stored(warehouse)).toBe(3)
  await warehouse.close()
})
