import type { Micros } from '../../primitives/instants.ts'
import { asOfInFuture } from '../log/seal.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'

/** Instant that a reader sees, and the version of each table. */
export type ReadView = { readonly as_of: Micros; readonly snapshots: readonly Snapshot[] }

export type ReadOptions = {
  /** null: the newest state, unpinned; nothing is sealed for it. */
  readonly as_of: Micros | null
  readonly tables: readonly TableName[]
  /** false leaves an explicit as_of unsealed, for readers whose answers may still change. */
  readonly pin: boolean
}

/**
 * Takes one snapshot of each table for a reader. An explicit as_of is first sealed, in the named tables only, because a sealed
 * table accepts no earlier publication; a table that was never created is not sealed.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_AS_OF_UNAVAILABLE
 */
export async function resolveAsOf(warehouse: Warehouse, options: ReadOptions): Promise<ReadView> {
  const { as_of, pin } = options
  if (as_of !== null) await refuseFuture(warehouse, as_of)
  const snapshots: Snapshot[] = []
  for (const table of options.tables) {
    const log = warehouse.log(table)
    const snapshot = await log.snapshot()
    const needs_seal = as_of !== null && pin && snapshot.version >= 0
    snapshots.push(needs_seal ? await log.seal(as_of) : snapshot)
  }
  return { as_of: as_of ?? (await newest(warehouse, snapshots)), snapshots }
}

/** Commit stamps may be ahead of the clock by milliseconds, but a committed row is visible. */
async function newest(warehouse: Warehouse, snapshots: readonly Snapshot[]): Promise<Micros> {
  return Math.max(await warehouse.now(), ...snapshots.map((snapshot) => snapshot.head_stamp ?? 0))
}

async function refuseFuture(warehouse: Warehouse, as_of: Micros): Promise<void> {
  const now = await warehouse.now()
  if (as_of > now) throw asOfInFuture(as_of, now)
}
