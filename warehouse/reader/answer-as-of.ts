import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { isReached } from '../../primitives/wall-clock.ts'
import { asOfInFuture } from '../log/seal.ts'
import type { SealedRead, Warehouse } from '../warehouse.ts'
import type { FollowedTableName } from './followed-tables.ts'
import type { Reader } from './reader.ts'
import type { Memories } from './table-memory.ts'
import { UsedTables } from './used-tables.ts'

export type AsOfPorts = {
  readonly memories: Memories
  /** null: there is none yet. */
  readonly warehouse: () => Warehouse | null
  /** Lets memory take now what the tables have, in place of in its next round. */
  readonly hurry: () => void
  /** Creates the reads of an instant, which note the tables that they use. */
  readonly readerOf: (as_of: Micros, used: UsedTables) => Promise<Reader>
}

/** Longest wait for a seal that another process writes, and for memory to reach it, in milliseconds. */
const SEAL_WAIT_MS = 1000
/** Longest such wait over an object store, in milliseconds: a seal takes several requests, each slower than a disk. */
const REMOTE_SEAL_WAIT_MS = 3000
const CHECK_EVERY_MS = 20

/**
 * Answers as of an instant. `read` is called before anything is sealed, so that a refused request writes nothing. Then the tables
 * that it has used are sealed, and it is called again if one of them got a row meanwhile: what it returns last is final. This process
 * seals if it may write; otherwise it waits for a writer. A table that was never created counts as empty.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_AS_OF_UNAVAILABLE, and the errors of `read`
 */
export async function answerAsOf<T>(
  ports: AsOfPorts,
  as_of: Micros,
  read: (reader: Reader) => T | Promise<T>,
): Promise<T> {
  const now = (await ports.warehouse()?.now()) ?? as_of
  if (!(await isReached(as_of, now))) throw asOfInFuture(as_of, now)
  for (;;) {
    const used = new UsedTables(ports.memories, as_of)
    const answer = await read(await ports.readerOf(as_of, used))
    const warehouse = ports.warehouse()
    if (warehouse !== null) await sealTables(warehouse, used, ports.hurry)
    if (!used.haveChanged()) return answer
  }
}

async function sealTables(warehouse: Warehouse, used: UsedTables, hurry: () => void): Promise<void> {
  await Promise.all(used.open().map((table) => sealTable(warehouse, table, used, hurry)))
  if (used.open().length > 0) throw unavailable(used, waitOf(warehouse))
}

/** Seals a table and waits until memory has reached the sealed version. */
async function sealTable(
  warehouse: Warehouse,
  table: FollowedTableName,
  { memories, as_of }: UsedTables,
  hurry: () => void,
): Promise<void> {
  const most_ms = waitOf(warehouse)
  const sealed = await within(most_ms, () => sealIfAllowed(warehouse, table, as_of))
  const { version } = memories.get(table)!
  if (sealed === null || sealed.version > version) hurry()
  await within(most_ms, async () => {
    const memory = memories.get(table)!
    if (sealed !== null) memory.seal(sealed)
    return memory.sealed_through >= as_of || null
  })
}

function waitOf({ store }: Warehouse): number {
  return store.remote === undefined ? SEAL_WAIT_MS : REMOTE_SEAL_WAIT_MS
}

/** Tries until there is a result or the time has passed; a first try is always made. */
async function within<T>(most_ms: number, attempt: () => Promise<T | null>): Promise<T | null> {
  const until = performance.now() + most_ms
  for (;;) {
    const result = await attempt()
    if (result !== null || performance.now() >= until) return result
    await sleep(CHECK_EVERY_MS)
  }
}

/** @returns null: the table cannot be written or read now; the caller waits for another writer or for recovery */
async function sealIfAllowed(
  warehouse: Warehouse,
  table: FollowedTableName,
  as_of: Micros,
): Promise<SealedRead | null> {
  try {
    return await warehouse.log(table).sealForRead(as_of)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

function unavailable(used: UsedTables, waited_ms: number): ServiceError {
  const [table] = used.open()
  const { as_of } = used
  const { sealed_through } = used.memories.get(table!)!
  const [asked, final] = [formatMicros(as_of), sealed_through === 0 ? 'none yet' : formatMicros(sealed_through)]
  return new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${asked}, but ${table} is final only through ${final} and was not sealed further in ${waited_ms} ms; allowed: an earlier instant, or this one in some seconds`,
    { as_of: asked, table: table!, retry_after_ms: String(waited_ms) },
  )
}
