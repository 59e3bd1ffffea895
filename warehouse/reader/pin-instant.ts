import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { asOfInFuture } from '../log/seal.ts'
import type { Warehouse } from '../warehouse.ts'
import { FOLLOWED_TABLES } from './followed-tables.ts'
import type { Memories } from './table-memory.ts'

/** Longest wait for a seal that another process writes, in milliseconds. */
const SEAL_WAIT_MS = 1000
const CHECK_EVERY_MS = 20

/**
 * Makes answers as of an instant final and waits until memory holds everything published by then. This process seals the tables
 * if it may write; otherwise it waits for a writer. A table that was never created counts as empty.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_AS_OF_UNAVAILABLE
 */
export async function pinInstant(warehouse: Warehouse, memories: Memories, as_of: Micros): Promise<void> {
  if (openTables(memories, as_of).length === 0) return
  const now = await warehouse.now()
  if (as_of > now) throw asOfInFuture(as_of, now)
  await Promise.all(openTables(memories, as_of).map((table) => sealIfAllowed(warehouse, table, as_of)))
  for (let waited = 0; waited < SEAL_WAIT_MS; waited += CHECK_EVERY_MS) {
    if (openTables(memories, as_of).length === 0) return
    await sleep(CHECK_EVERY_MS)
  }
  const open = openTables(memories, as_of)
  if (open.length > 0) throw unavailable(memories, open[0]!, as_of)
}

type Followed = (typeof FOLLOWED_TABLES)[number]

/** Tables that may still receive a row published by then. */
function openTables(memories: Memories, as_of: Micros): Followed[] {
  return FOLLOWED_TABLES.filter((table) => {
    const memory = memories.get(table)!
    return memory.version >= 0 && memory.sealed_through < as_of
  })
}

/** Ignores failures to write or to read the table now: the caller waits for another writer or for recovery. */
async function sealIfAllowed(warehouse: Warehouse, table: Followed, as_of: Micros): Promise<void> {
  try {
    await warehouse.log(table).seal(as_of)
  } catch (error) {
    if (!isServiceError(error) || error.code === 'VALIDATION_AS_OF_IN_FUTURE') throw error
  }
}

function unavailable(memories: Memories, table: Followed, as_of: Micros): ServiceError {
  const { sealed_through } = memories.get(table)!
  const [asked, final] = [formatMicros(as_of), sealed_through === 0 ? 'none yet' : formatMicros(sealed_through)]
  return new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${asked}, but ${table} is final only through ${final} and was not sealed further in ${SEAL_WAIT_MS} ms; allowed: an earlier instant`,
    { as_of: asked, table },
  )
}
