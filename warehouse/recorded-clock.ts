import type { Micros } from '../primitives/instants.ts'
import type { TableName } from './tables.ts'
import type { Warehouse } from './warehouse.ts'

/** Time after an instant in which its commits are stamped: a table has one commit a millisecond. */
const INSTANT_SPAN: Micros = 100_000
const COMMIT_DISTANCE: Micros = 1000

/**
 * Returns the same warehouse at an instant of the recorded clock: readers see what was published by then, and appends of the wall
 * clock are stamped then. So acts of a past are performed by the code that performs those of today. Nothing is sealed, because
 * earlier rows of other tables may follow.
 */
export function atRecordedInstant(warehouse: Warehouse, at: Micros): Warehouse {
  const shown: Warehouse = {
    ...warehouse,
    now: async () => at,
    log: (table) => logAt(warehouse, table, at),
    async append(table, rows, options) {
      if (options.stamp.kind !== 'wall') return warehouse.append(table, rows, options)
      const head = (await warehouse.log(table).closedThrough()) ?? 0
      const is_own = at <= head && head < at + INSTANT_SPAN
      const stamp = { kind: 'recorded', at: is_own ? head + COMMIT_DISTANCE : at } as const
      return warehouse.append(table, rows, { ...options, stamp })
    },
  }
  WHOLE.set(shown, wholeWarehouse(warehouse))
  return shown
}

/** Warehouse that is shown at an instant. */
const WHOLE = new WeakMap<Warehouse, Warehouse>()

/** Returns the warehouse that is shown at an instant, so that what is kept of it serves later instants; any other is its own. */
export function wholeWarehouse(warehouse: Warehouse): Warehouse {
  return WHOLE.get(warehouse) ?? warehouse
}

function logAt(warehouse: Warehouse, table: TableName, at: Micros): ReturnType<Warehouse['log']> {
  const log = warehouse.log(table)
  const snapshot = async () => {
    const newest = await log.snapshot()
    const { head_stamp } = newest
    // Reads of the newest state show it as of its newest head: of later rows none, of the commits of this instant all.
    return { ...newest, head_stamp: head_stamp === null ? null : Math.min(head_stamp, at + INSTANT_SPAN) }
  }
  return { ...log, snapshot, seal: snapshot }
}
