import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { Micros } from '../../primitives/instants.ts'
import { schemaHash } from '../intervals/interval-files.ts'
import type { Store } from '../store/store.ts'
import type { Snapshot, TableLog } from '../warehouse.ts'
import { FEED_KEYS, type GrowingTableName, NEWEST } from './followed-tables.ts'
import type { MemoryState, TableMemory } from './table-memory.ts'

/*
 * The newest rows of a growing table as memory had them at a version, so that the next process reads only what was published since: the
 * rows of a long history would take hours. They are in the store, for machines that have not opened the warehouse before, and may be
 * deleted at any time.
 */

/** Rows published since the last state was stored, from which the next one is. */
const STORE_EVERY_ROWS = 100_000
/** Rows of each key that a state must be worth: storing one costs as much as taking as many rows. */
const ROWS_PER_KEY = 4
/** States that are kept. One that is newer than the commits kept for resuming is of no use, but the one before it is. */
const STATES = 2
const LINES_AT_ONCE = 1000

/** A stored state: the hash chain up to its version, and the hash of its object. */
type StoredState = {
  /** Another form of the state, or other rules of what it holds, is another hash. */
  readonly format: string
  readonly table_id: string
  readonly version: number
  readonly commit_sha256: string
  /** Every row published at or before it is in the state. */
  readonly stamp: Micros
  readonly sha256: string
}

type Ports = { readonly store: Store; readonly commit: TableLog['commit'] }
type Place = { readonly table_id: string; readonly version: number; readonly stamp: Micros }

const folderOf = (table: string) => `.derived/newest/${table}`
const pointerKey = (table: string) => `${folderOf(table)}/states.json`
const stateKey = (table: string, { version, sha256 }: Pick<StoredState, 'version' | 'sha256'>) =>
  `${folderOf(table)}/${version}-${sha256.slice(0, 16)}.ndjson`

function formatOf(table: GrowingTableName): string {
  return contentHash({ format: 1, schema: schemaHash(table), newest: NEWEST[table], feed: FEED_KEYS[table] })
}

/**
 * Fills an empty memory from the newest stored state without later rows than `through`, if it is of the same log.
 * @returns instant of publication through which memory has every row; null: there is no such state
 */
export async function restoreNewest(
  memory: TableMemory,
  snapshot: Snapshot,
  through: Micros,
  ports: Ports,
): Promise<Micros | null> {
  const table = memory.table as GrowingTableName
  for (const state of await storedStates(ports.store, table)) {
    if (state.format !== formatOf(table) || state.table_id !== snapshot.table_id || state.stamp > through) continue
    const commit = await ports.commit(state.version).catch(() => null)
    if (commit?.clock.commit_sha256 !== state.commit_sha256) continue
    const bytes = await ports.store.get(stateKey(table, state))
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== state.sha256) continue
    for (const line of bytes.toString().split('\n')) if (line !== '') memory.restore(JSON.parse(line))
    return state.stamp
  }
  return null
}

/** Stores what a memory holds of a growing table at a version. */
export async function storeNewest(memory: TableMemory, place: Place, { store, commit }: Ports): Promise<void> {
  const table = memory.table as GrowingTableName
  const state = memory.state() // taken in this turn, so that it is of this version
  const bytes = await bytesOf(state)
  const found = await commit(place.version)
  if (found === null) return
  const { commit_sha256 } = found.clock
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const stored: StoredState = { format: formatOf(table), ...place, commit_sha256, sha256 }
  const before = await storedStates(store, table)
  if (before.some(({ version }) => version === place.version)) return
  if ((await store.putIfAbsent(stateKey(table, stored), bytes)) === 'unknown') return
  const kept = [stored, ...before].sort((a, b) => b.version - a.version).slice(0, STATES)
  await store.replace(pointerKey(table), Buffer.from(JSON.stringify(kept)))
  for (const one of before) if (!kept.includes(one)) await store.delete(stateKey(table, one))
}

/** Returns a function that counts rows taken into a memory. After many rows it stores the state in the background. */
export function newestKeeper(ports: Ports): (memory: TableMemory, rows: number) => void {
  let unstored = 0
  let storing = false
  return (memory, rows) => {
    if (memory.newest === null) return
    unstored += rows
    if (storing || unstored < Math.max(STORE_EVERY_ROWS, memory.newest.size * ROWS_PER_KEY)) return
    ;[unstored, storing] = [0, true]
    const place = { table_id: memory.epoch, version: memory.version, stamp: memory.horizon }
    // It only saves time later; a reader may also have no right to write.
    const stored = storeNewest(memory, place, ports).catch(() => undefined)
    void stored.finally(() => {
      storing = false
    })
  }
}

/** Whether reading these rows again would cost more than storing a state. */
export function isWorthStoring(rows: number): boolean {
  return rows >= STORE_EVERY_ROWS
}

async function storedStates(store: Store, table: GrowingTableName): Promise<readonly StoredState[]> {
  try {
    const bytes = await store.get(pointerKey(table))
    return bytes === null ? [] : (JSON.parse(bytes.toString()) as StoredState[])
  } catch {
    return []
  }
}

/** Makes the lines of a state in pieces, because requests are answered meanwhile. */
async function bytesOf(state: MemoryState): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let from = 0; from < state.length; from += LINES_AT_ONCE) {
    if (from > 0) await nextTurn()
    const lines = state.slice(from, from + LINES_AT_ONCE).map((line) => `${JSON.stringify(line)}\n`)
    pieces.push(Buffer.from(lines.join('')))
  }
  return Buffer.concat(pieces)
}
