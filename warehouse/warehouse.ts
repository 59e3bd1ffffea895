import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ServiceError } from '../primitives/errors.ts'
import type { Micros } from '../primitives/instants.ts'
import { refuseLaterFormat } from '../primitives/later-format.ts'
import type { AppendOptions, AppendResult } from './log/append-member.ts'
import type { TestPorts } from './log/log-context.ts'
import { openTableLog, type TableLog } from './log/table-log.ts'
import { createParquetEngine } from './parquet/parquet-engine.ts'
import type { RowList } from './schema.ts'
import { localFolder, openStore } from './store/open-store.ts'
import { probeStore } from './store/probe-store.ts'
import { placeOnce } from './store/read-back.ts'
import { holdReadLease } from './store/read-lease.ts'
import { resolveRoot } from './store/root.ts'
import type { Store } from './store/store.ts'
import { storeError } from './store/store-error.ts'
import { TABLE_NAMES, type TableName } from './tables.ts'
import { refuseHalfRestored } from './unfinished-restore.ts'

export type { AppendOptions, AppendResult } from './log/append-member.ts'
export type { RowStamps, Stamp } from './log/choose-stamp.ts'

export type { LiveFile, Snapshot } from './log/log-state.ts'
export type { SealedRead } from './log/seal.ts'
export type { TableLog } from './log/table-log.ts'
export type { TailedVersion } from './log/tail.ts'

export type Warehouse = {
  /** Folder, or `s3://bucket/prefix`. */
  readonly root: string
  /** Folder of this machine for what is derived from the tables and can be made again; of a warehouse in a folder, that folder. */
  readonly local_root: string
  readonly store: Store
  /** Appends rows to one table in one commit; idempotent per (app_id, app_sequence). `rows` must not be empty. */
  append(table: TableName, rows: RowList, options: AppendOptions): Promise<AppendResult>
  log(table: TableName): TableLog
  /** The warehouse's wall clock: the store's own. */
  now(): Promise<Micros>
  /** Waits for background work. */
  close(): Promise<void>
}

export type OpenOptions = {
  readonly root: string
  /** Creates the warehouse and its empty tables if they are missing. */
  readonly create?: boolean
  /** Keeps the files of every version from now on until the warehouse is closed, an hour at most. */
  readonly lease?: boolean
  /** For tests only. */
  readonly ports?: TestPorts & { readonly store?: Store }
}

/** Marks a folder as a warehouse. */
export const MARKER = 'warehouse.json'

/** Commands that make a warehouse. */
const MADE_BY =
  'allowed: one that `tidemark import`, `tidemark index apply`, `tidemark worker` or, in a sandbox, `tidemark up` has made'

/** Folder in which the first data of a new warehouse is loaded, before it is renamed to `root`. */
export function fillingFolder(root: string): string {
  return `${root}.making`
}

/**
 * Opens the warehouse in a folder or an object store.
 * @throws {ServiceError} WAREHOUSE_NOT_FOUND without `create`; VALIDATION_USAGE_INVALID: a restore into the place has not ended;
 *   WAREHOUSE_STORE_UNSUITABLE, WAREHOUSE_STORE_FULL
 */
export async function openWarehouse(options: OpenOptions): Promise<Warehouse> {
  const root = resolveRoot(options.root)
  const ports = options.ports ?? {}
  const store = ports.store ?? (await openStore(root))
  if (options.create !== true) await requireMarker(store, root)
  const writable = await probeStore(store)
  if (options.create === true) await placeMarker(store)
  const engine = createParquetEngine()
  const pending = new Set<Promise<unknown>>()
  const background = (work: Promise<unknown>) => {
    const kept = work.catch(() => undefined).finally(() => pending.delete(kept)) // nothing depends on it
    pending.add(kept)
  }
  const logs = new Map<TableName, TableLog>()
  for (const table of TABLE_NAMES) logs.set(table, openTableLog(table, { store, engine, ports, writable, background }))
  if (options.create === true) await Promise.all([...logs.values()].map((log) => log.create()))
  const release = options.lease === true && writable ? await holdReadLease(store) : null
  return {
    root,
    local_root: localFolder(store),
    store,
    append: (table, rows, append_options) => logs.get(table)!.append(rows, append_options),
    log: (table) => logs.get(table)!,
    now: ports.now ?? store.now,
    async close() {
      await Promise.all([...logs.values()].map((log) => log.idle()))
      while (pending.size > 0) await Promise.all(pending)
      await release?.()
    },
  }
}

/** Reports whether there is a warehouse at a root. @throws {ServiceError} SERVICE_UNAVAILABLE: its object store does not answer */
export async function hasWarehouse(root: string): Promise<boolean> {
  return (await (await openStore(root)).get(MARKER)) !== null
}

/** Returns the id of the warehouse at a root, which is the same on every machine that opens it; null: there is none. */
export async function readWarehouseId(root: string): Promise<string | null> {
  try {
    const marker = JSON.parse(String(await (await openStore(root)).get(MARKER))) as { warehouse_id?: unknown } | null
    return typeof marker?.warehouse_id === 'string' ? marker.warehouse_id : null
  } catch {
    return null
  }
}

async function placeMarker(store: Store): Promise<void> {
  try {
    if ((await store.get(MARKER)) === null) await refuseHalfRestored(store)
  } catch (error) {
    throw storeError(error, store.root)
  }
  await placeOnce(store, MARKER, Buffer.from(`${JSON.stringify({ format: 1, warehouse_id: randomUUID() })}\n`))
}

async function requireMarker(store: Store, root: string): Promise<void> {
  const bytes = await store.get(MARKER)
  if (bytes === null) {
    await refuseHalfRestored(store)
    const why = existsSync(fillingFolder(root))
      ? 'the first data of the warehouse is still being loaded, which may take several minutes; wait until `tidemark up` prints its summary'
      : `there is no warehouse in ${root}; ${MADE_BY}`
    throw new ServiceError('WAREHOUSE_NOT_FOUND', why, { root })
  }
  if (isMarker(bytes.toString())) return
  const name = `${MARKER} of warehouse ${root}`
  refuseLaterFormat(bytes.toString(), name, 1, 'WAREHOUSE_SCHEMA_CHANGED')
  throw new ServiceError('WAREHOUSE_CORRUPT', `${name} is damaged`, { root, file: MARKER })
}

function isMarker(text: string): boolean {
  try {
    return (JSON.parse(text) as { format?: unknown }).format === 1
  } catch {
    return false
  }
}
