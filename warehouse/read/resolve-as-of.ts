import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'

/** The instant a reader sees, and the version of each table it sees it in. */
export type ReadView = { readonly as_of: Micros; readonly snapshots: readonly Snapshot[] }

export type ReadOptions = {
  /** null: the newest there is, unpinned; nothing is sealed for it. */
  readonly as_of: Micros | null
  readonly tables: readonly TableName[]
  /** false leaves an explicit as_of unsealed: for readers whose answer nobody keeps. */
  readonly pin: boolean
}

/**
 * Takes one snapshot of each table for a reader. An explicit as_of is made final first, in the named tables only, because
 * a sealed table takes no earlier publication any more; a table that was never created stays as it is.
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

/** Commit stamps may be ahead of the clock by milliseconds; what is committed is visible. */
async function newest(warehouse: Warehouse, snapshots: readonly Snapshot[]): Promise<Micros> {
  return Math.max(await warehouse.now(), ...snapshots.map((snapshot) => snapshot.head_stamp ?? 0))
}

async function refuseFuture(warehouse: Warehouse, as_of: Micros): Promise<void> {
  const now = await warehouse.now()
  if (as_of <= now) return
  const [asked, at] = [formatMicros(as_of), formatMicros(now)]
  throw new ServiceError(
    'VALIDATION_AS_OF_IN_FUTURE',
    `as_of is ${asked}; allowed: an instant that is not after now (${at})`,
    { as_of: asked, now: at },
  )
}
