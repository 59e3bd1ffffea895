import { ServiceError } from '../../primitives/errors.ts'
import { type DurationString, durationMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

export type VacuumedTable = { readonly table: TableName; readonly files: number; readonly bytes: number }

const RETENTION_MAX_DAYS = 30

/**
 * Deletes the data files that no version within the retention names, and moves commits that are older to the archive of their log. No
 * answer changes: as_of never reads old files.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID; VALIDATION_RANGE_INVALID beyond 30 days
 */
export async function vacuumWarehouse(options: {
  readonly warehouse: Warehouse
  /** At most P30D. */
  readonly retention: DurationString
  /** Says what would be deleted and deletes nothing. */
  readonly dry_run: boolean
}): Promise<{ readonly tables: readonly VacuumedTable[] }> {
  const { warehouse, retention, dry_run } = options
  const retention_ms = retentionMs(retention)
  const tables: VacuumedTable[] = []
  for (const table of TABLE_NAMES) {
    const { deleted, deleted_bytes } = await warehouse.log(table).vacuum({ retention_ms, dry_run })
    tables.push({ table, files: deleted.length, bytes: deleted_bytes })
  }
  return { tables }
}

function retentionMs(retention: DurationString): number {
  const micros = durationMicros(retention, 'retention')
  if (micros <= RETENTION_MAX_DAYS * MICROS_PER_DAY) return Math.floor(micros / 1000)
  throw new ServiceError(
    'VALIDATION_RANGE_INVALID',
    `retention is ${retention}; allowed: at most P${RETENTION_MAX_DAYS}D, as long as the log remembers removed files`,
    { retention },
  )
}
