import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { fillHarbor } from '../api/acceptance/harbor.ts'
import { writeRatedMarkets, writeRatingRecords } from '../api/records/rating-records.ts'
import { writeSeverity, writeSeverityIndex } from '../api/records/severity-records.ts'
import { onceInRun, RUN_FOLDER } from './run/once-in-run.ts'

/**
 * Makes a warehouse with records for every public endpoint: indexes and markets of February 2026, ratings, severity. In a test run it
 * is a copy of one that is built once. Returns its folder.
 */
export async function wholeWarehouse(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  if (process.env[RUN_FOLDER] === undefined) return await buildWhole(folder)
  const root = join(folder, 'warehouse')
  cpSync(await onceInRun('whole', buildWhole), root, { recursive: true })
  return root
}

/** Builds it; each table gets its rows in the order of time. */
async function buildWhole(folder: string): Promise<string> {
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  try {
    await writeRatedMarkets(warehouse)
    await fillHarbor(warehouse, folder)
    await writeRatingRecords(warehouse, folder)
    await writeSeverity(warehouse, folder)
    await writeSeverityIndex(warehouse, folder)
  } finally {
    await warehouse.close()
  }
  return root
}
