import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { openTradingSnapshot, type TradingSnapshot } from '../../trading/store/backup/export-trading.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { digestKey, readDigestLines } from '../../warehouse/audit/digest-files.ts'
import { openCut, type TableCut } from '../../warehouse/backup/cut-table.ts'
import { logObjects, readLogHead } from '../../warehouse/backup/log-objects.ts'
import { pointsInto, tableObjects, type WarehouseObject } from '../../warehouse/backup/table-objects.ts'
import { sealKey } from '../../warehouse/log/seal-mark.ts'
import { SIMULATED_VENUES } from '../../warehouse/simulated-venues.ts'
import { holdFile } from '../../warehouse/store/hold-file.ts'
import type { Store, StoreKey } from '../../warehouse/store/store.ts'
import { WORK } from '../../warehouse/store/work-keys.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import { LOG_FOLDER, logPlace } from '../../warehouse/transparency/log-layout.ts'
import { MARKER, readWarehouseId, type Warehouse } from '../../warehouse/warehouse.ts'
import { type BackupTarget, openBackupTarget, type StoredContent } from './backup-target.ts'
import { homeFiles } from './home-files.ts'
import {
  type BackedUpFile,
  type BackedUpRows,
  type BackedUpTable,
  type BackedUpTrading,
  type BackupManifest,
  backupId,
  type KeptKeys,
  LOG,
  WAREHOUSE,
  writeManifest,
} from './manifest.ts'
import { manyAtOnce } from './many-at-once.ts'
import { pruneBackups } from './prune-backups.ts'
import { type PrivateFile, sealKeys } from './seal-keys.ts'
import { verifyBackup } from './verify-backup.ts'

export type BackUpOptions = {
  readonly home: string
  readonly warehouse: Warehouse
  /** Trading database; null: the home has none. */
  readonly pool: Pool | null
  readonly folder: string
  readonly release: string
  /** Encrypts the private files; null: they are left out. */
  readonly passphrase: string | null
  /** Backups of the folder that stay, the new one included; null: all. */
  readonly keep: number | null
  readonly on_progress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export type BackupReport = {
  readonly manifest: BackupManifest
  readonly written_files: number
  readonly written_bytes: number
  /** Files and bytes of the whole backup, those of earlier backups included. */
  readonly files: number
  readonly bytes: number
  /** Earlier backups that were removed. */
  readonly pruned_backups: number
}

/** A clean-up that moves commits while they are copied makes the copy begin again. */
const ATTEMPTS_MAX = 3

/**
 * Backs up a home that runs or is stopped, through one instant, and verifies what was written. Nobody is kept waiting: the tables are
 * copied at versions that never change, and the trading database is read in one snapshot.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the target holds something else; WAREHOUSE_BUSY: another backup writes there;
 *   WAREHOUSE_CORRUPT names a damaged file; BACKUP_CORRUPT
 */
export async function backUp(options: BackUpOptions): Promise<BackupReport> {
  const target = await openBackupTarget(options.folder)
  return whileHeld(target.folder, async () => {
    const manifest = await backUpInto(target, options)
    const verified = await verifyBackup({ folder: target.folder, manifest, signal: options.signal })
    const pruned = options.keep === null ? 0 : await pruneBackups(target.folder, options.keep)
    const { files, bytes } = target.written()
    return { manifest, written_files: files, written_bytes: bytes, ...verified, pruned_backups: pruned }
  })
}

/** Runs work while no other process writes backups into the folder. @throws {ServiceError} WAREHOUSE_BUSY */
async function whileHeld<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await holdFile(join(folder, '.lock'))
  if (!lock.held) {
    const who = lock.holder === null ? 'another process' : `process ${lock.holder}`
    throw new ServiceError('WAREHOUSE_BUSY', `${who} writes a backup into ${folder}; allowed: one at a time`, {
      folder,
    })
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function backUpInto(target: BackupTarget, options: BackUpOptions): Promise<BackupManifest> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptBackUp(target, options)
    } catch (error) {
      if (!isMoved(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/** Error of an object that was gone when it was copied. */
class MovedError extends Error {}

function isMoved(error: unknown): boolean {
  return error instanceof MovedError || (!isServiceError(error) && (error as NodeJS.ErrnoException).code === 'ENOENT')
}

async function attemptBackUp(target: BackupTarget, options: BackUpOptions): Promise<BackupManifest> {
  const { warehouse, pool } = options
  // The log, digests and files name versions of tables, so they are read first: those versions are then in the backup.
  const log = await readLogHead(logOf(options))
  const early = await Promise.all([
    keepHomeFiles(target, options),
    keepDigests(target, warehouse),
    keepWork(target, warehouse),
  ])
  const cut = await openCut(warehouse)
  const snapshot = pool === null ? null : await openTradingSnapshot(pool)
  try {
    const files = [...early[0].files, ...early[1], ...early[2]]
    const tables: BackedUpTable[] = []
    for (const [done, table] of TABLE_NAMES.entries()) {
      options.signal?.throwIfAborted()
      options.on_progress?.({ done, total: TABLE_NAMES.length })
      const found = await cut.table(table)
      if (found === null) continue
      files.push(...(await keepTable(target, warehouse.store, found, cut.through)))
      const { table_id, version, commit_sha256, rows } = found
      tables.push({ table, table_id, version, commit_sha256, rows, data_files: found.files.length })
    }
    for (const key of [MARKER, SIMULATED_VENUES]) files.push(...(await keepIfThere(target, warehouse.store, key)))
    if (log !== null)
      for await (const one of logObjects(log)) files.push(await keep(target, `${LOG}${one.path}`, one.bytes))
    const trading = snapshot === null ? null : await keepTrading(target, snapshot)
    await target.flush()
    const through = formatMicros(cut.through)
    return await writeManifest(target.folder, {
      format: 1,
      backup_id: backupId(through, cut.through),
      release: options.release,
      backed_up_through: through,
      warehouse_id: (await readWarehouseId(warehouse.root)) ?? '',
      tables,
      log: log && { size: log.state.size, root: log.state.root, origin: log.state.origin },
      trading,
      keys: early[0].keys,
      files,
      left_out: early[0].left_out,
    })
  } finally {
    await snapshot?.close()
  }
}

const PLAIN_MODE = 0o644

/** Folder that has the log's. */
const logOf = ({ home, warehouse }: BackUpOptions) => logPlace({ home, warehouse: warehouse.root })

/** Keeps an object of the warehouse, from its file or from the object store. @throws {MovedError} it is gone */
async function keepObject(target: BackupTarget, store: Store, { key, stated }: WarehouseObject): Promise<BackedUpFile> {
  const { remote } = store
  const path = `${WAREHOUSE}${key}`
  const fileOf = () => (remote === undefined || stated === null ? store.localPath(key) : remote.copyOf(stated, true))
  if (stated !== null) return { path, mode: PLAIN_MODE, ...(await target.keepKnown(stated, fileOf)) }
  if (remote === undefined) return { path, mode: PLAIN_MODE, ...(await target.keepFile(await fileOf())) }
  const [kept] = await keepIfThere(target, store, key)
  if (kept === undefined) throw new MovedError(`${key} is gone`)
  return kept
}

async function keepIfThere(target: BackupTarget, store: Store, key: StoreKey): Promise<BackedUpFile[]> {
  const bytes = await store.get(key)
  return bytes === null ? [] : [await keep(target, `${WAREHOUSE}${key}`, bytes)]
}

async function keep(target: BackupTarget, path: string, bytes: Uint8Array): Promise<BackedUpFile> {
  return { path, mode: PLAIN_MODE, ...(await target.keepBytes(bytes)) }
}

type KeptHome = { readonly files: readonly BackedUpFile[]; readonly keys: KeptKeys } & Pick<BackupManifest, 'left_out'>

async function keepHomeFiles(target: BackupTarget, options: BackUpOptions): Promise<KeptHome> {
  const { home, warehouse, folder, passphrase } = options
  const found = await homeFiles(home, [warehouse.root, join(logOf(options), LOG_FOLDER), folder])
  const files: BackedUpFile[] = []
  const keys: PrivateFile[] = []
  for (const { path, mode, is_private } of found.files) {
    if (is_private) keys.push({ path, mode, bytes: await readFile(join(home, path)) })
    else files.push({ path, mode, ...(await target.keepFile(join(home, path))) })
  }
  const paths = keys.map(({ path }) => path)
  const handling = keys.length === 0 ? 'none' : passphrase === null ? 'left_out' : 'encrypted'
  const content = handling === 'encrypted' ? await target.keepBytes(sealKeys(keys, passphrase!)) : null
  return { files, keys: { handling, paths, content }, left_out: found.left_out }
}

/** Keeps the recorded answers of earlier audits; a line that is being written is left to the next backup. */
async function keepDigests(target: BackupTarget, { store }: Warehouse): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const table of TABLE_NAMES) {
    const lines = await readDigestLines(store, table)
    const whole = Buffer.from(lines.slice(0, lines.lastIndexOf('\n') + 1))
    if (whole.length > 0) files.push(await keep(target, `${WAREHOUSE}${digestKey(table)}`, whole))
  }
  return files
}

/** Keeps plans, journals, definitions and results of long work. One that is removed meanwhile is of work that has ended. */
async function keepWork(target: BackupTarget, { store }: Warehouse): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for await (const { key } of store.list(WORK)) {
    const bytes = await store.get(key)
    if (bytes !== null) files.push(await keep(target, `${WAREHOUSE}${key}`, bytes))
  }
  return files
}

async function keepTable(target: BackupTarget, store: Store, cut: TableCut, through: number): Promise<BackedUpFile[]> {
  const pointer_key = `${cut.table}/_delta_log/_last_checkpoint`
  const pointer = await store.get(pointer_key)
  const objects = await tableObjects(store, cut)
  const files = await manyAtOnce(objects, (object) => keepObject(target, store, object))
  if (pointer !== null && pointsInto(pointer, cut))
    files.push(await keep(target, `${WAREHOUSE}${pointer_key}`, pointer))
  // The seal mark of a folder is an empty file named by its instant.
  files.push(await keep(target, `${WAREHOUSE}${sealKey(cut.table)}/${through}`, new Uint8Array()))
  return files
}

/** Keeps the rows of the trading database. Compression is the slowest part; the lowest level makes a fifth of the bytes. */
async function keepTrading(target: BackupTarget, snapshot: TradingSnapshot): Promise<BackedUpTrading> {
  const tables: BackedUpRows[] = []
  for (const table of snapshot.tables) {
    const chunks: Promise<StoredContent>[] = []
    const rows = await snapshot.read(table, (bytes) => {
      chunks.push(target.keepBytes(gzipSync(bytes, { level: 1 })))
    })
    tables.push({ table_name: table.table_name, columns: table.columns, rows, chunks: await Promise.all(chunks) })
  }
  return { ...snapshot.head, migrations: snapshot.migrations, tables }
}
