import { ServiceError } from '../../primitives/errors.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import type { FollowedTableName } from './followed-tables.ts'

/**
 * The newest snapshot of a table; while its log cannot be read, the last one that could be.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is no warehouse yet (from the returned function)
 */
export function snapshots(warehouse: () => Warehouse | null): (table: FollowedTableName) => Promise<Snapshot> {
  return async (table) => {
    const opened = warehouse()
    if (opened === null) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'there is no warehouse yet; try again when one was made')
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
