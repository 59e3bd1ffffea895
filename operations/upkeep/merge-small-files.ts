import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Merges the small files of every table that has many. No answer changes; old files stay for their readers until `vacuum`.
 * @param signal  ends the work after the table under way
 * @param on_problem receives a table's failure, and the other tables are still merged; without it the failure is thrown
 * @returns tables checked, and days whose files were merged
 */
export async function mergeSmallFiles(
  warehouse: Warehouse,
  signal: AbortSignal,
  on_problem?: (error: unknown) => void,
): Promise<{ readonly tables: number; readonly merged: number }> {
  let [tables, merged] = [0, 0]
  for (const table of TABLE_NAMES) {
    if (signal.aborted) break
    try {
      merged += (await warehouse.log(table).compact()).length
    } catch (error) {
      if (on_problem === undefined) throw error
      on_problem(error)
    }
    tables += 1
  }
  return { tables, merged }
}
