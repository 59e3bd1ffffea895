import { recordWarehouseDigests } from '../../operations/audit/record-warehouse-digests.ts'
import { compactWarehouse } from '../../operations/upkeep/compact-warehouse.ts'
import { limitFiles } from '../../operations/upkeep/limit-files.ts'
import { sealWarehouse } from '../../operations/upkeep/seal-warehouse.ts'
import { vacuumWarehouse } from '../../operations/upkeep/vacuum-warehouse.ts'
import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

type UpkeepActivities = Pick<Activities, 'compactTables' | 'vacuumTables' | 'sealTables' | 'recordDigests'>

/** Creates the activities that keep a warehouse fast and auditable. */
export function upkeepActivities({ warehouse }: WorkerPorts): UpkeepActivities {
  return {
    compactTables: ({ whole }) =>
      watched(async ({ signal }) => {
        if (!whole) {
          const { tables, merged } = await limitFiles(warehouse, signal)
          return { tables, changed: merged }
        }
        const { tables } = await compactWarehouse({ warehouse, signal })
        return { tables: tables.length, changed: tables.filter(isSmaller).length }
      }),
    vacuumTables: ({ retention }) =>
      watched(async () => {
        const { tables } = await vacuumWarehouse({ warehouse, retention, dry_run: false })
        return { tables: tables.length, changed: tables.reduce((sum, { files }) => sum + files, 0) }
      }),
    sealTables: ({ through }) =>
      watched(async ({ signal }) => {
        const { tables, sealed } = await sealWarehouse(warehouse, through, signal)
        return { tables, changed: sealed }
      }),
    recordDigests: () =>
      watched(async ({ signal }) => {
        const { tables, recorded } = await recordWarehouseDigests(warehouse, signal)
        return { tables, changed: recorded }
      }),
  }
}

function isSmaller({ files_before, files_after }: { files_before: number; files_after: number }): boolean {
  return files_after < files_before
}
