import { type Instant, toMicros } from '../../primitives/instants.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Makes answers as of an instant final in every table: nothing is stamped at or before it any more.
 * @returns tables, and those that were not sealed so far before
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, WAREHOUSE_BUSY
 */
export async function sealWarehouse(
  warehouse: Warehouse,
  through: Instant,
  signal?: AbortSignal,
): Promise<{ readonly tables: number; readonly sealed: number }> {
  const at = toMicros(through, 'through')
  let sealed = 0
  for (const table of TABLE_NAMES) {
    signal?.throwIfAborted()
    const log = warehouse.log(table)
    const before = await log.snapshot()
    const after = await log.seal(at)
    if (after.version !== before.version) sealed += 1
  }
  return { tables: TABLE_NAMES.length, sealed }
}
