import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBackfill, reportBackfill, unendedBackfills } from '../../../operations/backfill/backfill-progress.ts'
import type { BackfillProgress } from '../../../operations/backfill/backfill-types.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

const progress = (state: BackfillProgress['state'], updated_at: string): BackfillProgress => ({
  ...{ backfill_id: 'bkf_a', subject_kind: 'venue', subject_id: 'kalshi', state, chunks_total: 3, chunks_done: 1 },
  ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', records_new: 5, started_at: updated_at, updated_at },
})

async function stateNow(): Promise<unknown> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query('select state, updated_at from backfill_run')
  } finally {
    await session.close()
  }
}

test('a backfill that waits is reported anew; a report that its end has overtaken is left out', async () => {
  expect(await unendedBackfills(warehouse)).toEqual([])
  await recordBackfill(warehouse, progress('running', '2026-01-01T00:00:00Z'))
  const [unended] = await unendedBackfills(warehouse)
  expect(unended!.age_ms).toBeGreaterThan(60_000)
  await reportBackfill(warehouse, progress('running', '2026-01-01T00:00:00Z'), unended!.head)
  const [reported] = await unendedBackfills(warehouse)
  expect(reported!.age_ms).toBeLessThan(60_000)
  await recordBackfill(warehouse, progress('done', formatMicros(await warehouse.now())))
  await reportBackfill(warehouse, progress('running', '2026-01-01T00:00:00Z'), reported!.head)
  expect(await stateNow()).toEqual([expect.objectContaining({ state: 'done' })])
  expect(await unendedBackfills(warehouse)).toEqual([])
})
