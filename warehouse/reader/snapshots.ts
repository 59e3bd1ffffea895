import { ServiceError } from '../../primitives/errors.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import type { FollowedTableName, StoredTableName } from './followed-tables.ts'

/**
 * Returns a function that gives the newest snapshot of a table; while its log cannot be read, the last readable one.
 * The function throws ServiceError SERVICE_UNAVAILABLE while there is no warehouse.
 */
export function snapshots(
  warehouse: () => Warehouse | null,
): (table: FollowedTableName | StoredTableName) => Promise<Snapshot> {
  return async (table) => {
    const opened = warehouse()
    if (opened === null) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'the warehouse does not exist yet; try again once it was created')
    }
    const log = opened.log(table)
    try {
      return await log.snapshot()
    } catch (error) {
      const last = log.lastSnapshot()
      if (last.version < 0) throw error
      return last
    }
  }
}
