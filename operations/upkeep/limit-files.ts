import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Time for which replaced files and old commits stay for readers of older versions; commands that read hold a lease. */
const RETENTION_MS = 5 * 60_000

/**
 * Keeps the number of files of a warehouse that is written all the time bounded: merges the small files of every table that has many,
 * removes what was replaced longer ago than the retention, and archives old commits. No answer changes.
 * @param signal  ends the work after the table under way
 * @param on_problem receives a table's failure, and the other tables are still worked on; without it the failure is thrown
 * @returns tables checked, and days whose files were merged
 */
export async function limitFiles(
  warehouse: Warehouse,
  signal: AbortSignal,
  on_problem?: (error: unknown) => void,
): Promise<{ readonly tables: number; readonly merged: number }> {
  let [tables, merged] = [0, 0]
  for (const table of TABLE_NAMES) {
    if (signal.aborted) break
    try {
      const log = warehouse.log(table)
      merged += (await log.compact()).length
      await log.vacuum({ retention_ms: RETENTION_MS })
    } catch (error) {
      if (on_problem === undefined) throw error
      on_problem(error)
    }
    tables += 1
  }
  return { tables, merged }
}
