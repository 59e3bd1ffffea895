import { openPauses, type Pauses } from '../../operations/pause/pauses.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

/** Pauses of a warehouse that another part of the service is still making. */
export type LatePauses = {
  /** Whether a schedule is paused; without a warehouse nobody can have paused it. */
  isPaused(schedule_id: string): Promise<boolean>
  close(): Promise<void>
}

/** Opens the pauses of a warehouse as soon as it is there. */
export function latePauses(root: string): LatePauses {
  let opened: { readonly warehouse: Warehouse; readonly pauses: Pauses } | null = null
  const open = async () => {
    const warehouse = await openWarehouse({ root }).catch((error: unknown) => {
      if (isServiceError(error, 'WAREHOUSE_NOT_FOUND')) return null
      throw error
    })
    return warehouse && { warehouse, pauses: openPauses(warehouse) }
  }
  return {
    isPaused: async (schedule_id) => {
      opened ??= await open()
      return opened !== null && (await opened.pauses.of(schedule_id)) !== null
    },
    close: async () => opened?.warehouse.close(),
  }
}
