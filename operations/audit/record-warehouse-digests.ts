import { recordDigests } from '../../warehouse/audit/record-digests.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Records what every table answers as of a few sealed instants, for audits to ask again.
 * @returns tables, and digests that were new
 */
export async function recordWarehouseDigests(
  warehouse: Warehouse,
  signal?: AbortSignal,
): Promise<{ readonly tables: number; readonly recorded: number }> {
  let recorded = 0
  for (const table of TABLE_NAMES) {
    signal?.throwIfAborted()
    recorded += (await recordDigests(warehouse, table)).length
  }
  return { tables: TABLE_NAMES.length, recorded }
}
