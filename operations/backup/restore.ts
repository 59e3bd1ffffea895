import { createHash } from 'node:crypto'
import { chmod, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ServiceError } from '../../primitives/errors.ts'
import { importTrading } from '../../trading/store/backup/import-trading.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { appendDigestLines, digestKey } from '../../warehouse/audit/digest-files.ts'
import { sealKey } from '../../warehouse/log/seal-mark.ts'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { makeFolder } from '../../warehouse/store/make-folder.ts'
import { openStore } from '../../warehouse/store/open-store.ts'
import { isObjectStore } from '../../warehouse/store/s3/s3-location.ts'
import type { Store, StoreKey } from '../../warehouse/store/store.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import { logPlace } from '../../warehouse/transparency/log-layout.ts'
import { refuseHalfRestored, UNFINISHED_RESTORE } from '../../warehouse/unfinished-restore.ts'
import { MARKER, openWarehouse } from '../../warehouse/warehouse.ts'
import { backupCorrupt } from './backup-errors.ts'
import { contentPath, type StoredContent } from './backup-target.ts'
import { checkSupported } from './check-supported.ts'
import { freeBytes } from './home-files.ts'
import { type BackupManifest, LOG, WAREHOUSE } from './manifest.ts'
import { manyAtOnce } from './many-at-once.ts'
import { openKeys } from './seal-keys.ts'
import { verifyBackup } from './verify-backup.ts'

export type RestoreOptions = {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly release: string
  /** Empty or missing. */
  readonly home: string
  readonly warehouse_root: string
  /** Opens the empty trading database that is filled; called if the backup has one. */
  readonly openPool: () => Promise<{ readonly pool: Pool; readonly stop: () => Promise<void> }>
  /** Decrypts the keys; null: they are left out. */
  readonly passphrase: string | null
  readonly signal?: AbortSignal | undefined
}

export type RestoreReport = {
  readonly files: number
  readonly bytes: number
  readonly trading_rows: number
  /** Private files that the restored home lacks. */
  readonly missing_keys: readonly string[]
}

/**
 * Restores a backup into an empty home: first everything is verified, then files and rows are written, then the result is compared with
 * the manifest. An interrupted restore leaves a home and a place of a warehouse that no command opens.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the home is not empty, or the passphrase is another one; BACKUP_CORRUPT names the file;
 *   BACKUP_UNSUPPORTED; WAREHOUSE_STORE_FULL
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { folder, manifest, home, warehouse_root, release, passphrase } = options
  checkSupported(manifest, release)
  await refuseUsed(home)
  const store = await openStore(warehouse_root)
  await refuseHalfRestored(store)
  await (isObjectStore(warehouse_root) ? refuseUsedStore(store) : refuseUsed(warehouse_root))
  const keys = await keysOf(options)
  const { files, bytes } = await verifyBackup({ folder, manifest, signal: options.signal })
  await refuseFull(home, bytes)
  await makeFolder(resolve(home))
  const mark = join(home, UNFINISHED_RESTORE)
  const of_restore = `${JSON.stringify({ backup_id: manifest.backup_id, warehouse: store.root })}\n`
  await writeFile(mark, of_restore, { flush: true })
  await store.replace(UNFINISHED_RESTORE, Buffer.from(of_restore))
  // The marker comes last: a warehouse is none before.
  const [marker, others] = [manifest.files.filter(isMarker), manifest.files.filter((file) => !isMarker(file))]
  for (const files of [others, marker]) {
    await manyAtOnce(files, async (file) => {
      options.signal?.throwIfAborted()
      await put(options, file.path, file.mode, await read(folder, file.path, file))
    })
  }
  for (const { path, mode, bytes: content } of keys) await put(options, path, mode, content)
  await compareTables(manifest, warehouse_root)
  if (manifest.trading !== null) await fillTrading(options, manifest.trading)
  await store.delete(UNFINISHED_RESTORE)
  await syncFolder(home)
  await rm(mark)
  return {
    files,
    bytes,
    trading_rows: (manifest.trading?.tables ?? []).reduce((sum, { rows }) => sum + rows, 0),
    missing_keys: passphrase === null ? manifest.keys.paths : manifest.keys.paths.slice(keys.length),
  }
}

async function keysOf({ folder, manifest: { keys }, passphrase }: RestoreOptions) {
  if (passphrase === null || keys.content === null) return []
  return openKeys(await read(folder, 'encrypted keys', keys.content), passphrase)
}

/** Refuses a folder with anything in it. @throws {ServiceError} VALIDATION_USAGE_INVALID */
async function refuseUsed(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') return ['.']
    throw error
  })
  if (names.length === 0) return
  const message = `${folder} is not empty; allowed: a home that is empty or does not exist yet`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { home: folder })
}

/** Refuses a place of an object store that has any object. @throws {ServiceError} VALIDATION_USAGE_INVALID */
async function refuseUsedStore({ root, list }: Store): Promise<void> {
  for await (const { key } of list('')) {
    const message = `warehouse is ${root}, which has ${key}; allowed: a prefix of a bucket without objects`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'warehouse', value: root })
  }
}

const isMarker = ({ path }: { readonly path: string }) => path === `${WAREHOUSE}${MARKER}`

/** Refuses a disk without space for the files. The rows of the trading database need more, which nobody can say beforehand. */
async function refuseFull(home: string, bytes: number): Promise<void> {
  const free_bytes = await freeBytes(home)
  if (free_bytes > bytes) return
  const message = `the disk of home ${home} has ${free_bytes} free bytes; allowed: more than the ${bytes} of the backup`
  throw new ServiceError('WAREHOUSE_STORE_FULL', message, { root: home })
}

/** Reads a content and checks the very bytes that are used. */
async function read(folder: string, name: string, { sha256 }: StoredContent): Promise<Buffer> {
  const bytes = await readFile(contentPath(folder, sha256)).catch(absentOn('ENOENT', null))
  if (bytes === null) throw backupCorrupt(name, `its content ${sha256} is missing`)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw backupCorrupt(name, `its bytes do not have the hash ${sha256}`)
  }
  return bytes
}

const OF_OTHERS = 0o077

/** Writes a file of the backup to its place; a path that leads out of it is refused. */
async function put(options: RestoreOptions, path: string, mode: number, bytes: Buffer): Promise<void> {
  const { home, warehouse_root: warehouse } = options
  if (!path.startsWith(WAREHOUSE)) return putFile(resolve(home), path, path, mode, bytes)
  const key = path.slice(WAREHOUSE.length)
  if (path.startsWith(LOG)) return putFile(resolve(logPlace({ home, warehouse })), key, path, mode, bytes)
  if (!isObjectStore(warehouse)) return putFile(resolve(warehouse), key, path, mode, bytes)
  return putObject(await openStore(warehouse), key, bytes)
}

/** Writes an object of a warehouse in an object store, which has seal marks and digests in another form than a folder. */
async function putObject(store: Store, key: StoreKey, bytes: Buffer): Promise<void> {
  if (resolve('/', key) !== `/${key}`) throw backupCorrupt(key, 'its path leads out of the warehouse')
  const table = TABLE_NAMES.find((name) => key === digestKey(name) || key.startsWith(`${sealKey(name)}/`))
  if (table === undefined) await store.replace(key, bytes)
  else if (key === digestKey(table)) await appendDigestLines(store, table, bytes.toString())
  else await store.raiseWatermark(sealKey(table), Number(key.slice(sealKey(table).length + 1)))
}

async function putFile(root: string, below: string, path: string, mode: number, bytes: Buffer): Promise<void> {
  const target = resolve(root, below)
  if (!target.startsWith(root + sep)) throw backupCorrupt(path, 'its path leads out of the home')
  const folder = dirname(target)
  const is_new = (await makeFolder(folder)) !== undefined
  // A folder of keys, as of operators, is closed as it was.
  if (is_new && folder !== root && (mode & OF_OTHERS) === 0) await chmod(folder, 0o700)
  await writeFile(target, bytes, { mode, flag: 'wx', flush: true })
}

/** Compares the head of each restored table with the manifest: it has the hash of all commits before it, which have those of the data. */
async function compareTables({ tables }: BackupManifest, root: string): Promise<void> {
  const warehouse = await openWarehouse({ root })
  try {
    for (const { table, version, commit_sha256, rows } of tables) {
      const found = await warehouse.log(table).snapshot()
      if (found.version === version && found.commit_sha256 === commit_sha256 && found.rows === rows) continue
      const seen = `its table ${table} ends at version ${found.version} with ${found.rows} rows, the manifest says ${version} with ${rows}`
      throw backupCorrupt(`${WAREHOUSE}${table}`, seen)
    }
  } finally {
    await warehouse.close()
  }
}

async function fillTrading(options: RestoreOptions, trading: NonNullable<BackupManifest['trading']>): Promise<void> {
  const { pool, stop } = await options.openPool()
  try {
    await importTrading(pool, {
      migrations: trading.migrations,
      tables: trading.tables.map(({ chunks, ...table }) => ({
        ...table,
        chunks: chunks.map((chunk, n) => async () => {
          return gunzipSync(await read(options.folder, `trading/${table.table_name}/${n}`, chunk))
        }),
      })),
    })
  } finally {
    await stop()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
