import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentHash, isObject } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Instant, Micros } from '../../primitives/instants.ts'
import type { TradingHead } from '../../trading/store/backup/export-trading.ts'
import type { AppliedMigration } from '../../trading/store/migrate.ts'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { makeFolder } from '../../warehouse/store/make-folder.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { backupCorrupt, backupNewer } from './backup-errors.ts'
import { isBackupFolder, OWNER_ALONE, type StoredContent } from './backup-target.ts'

/** File of a backup: its path below the home it is restored to, and its mode bits of the owner. */
export type BackedUpFile = StoredContent & { readonly path: string; readonly mode: number }

/** Table of the warehouse at the version that was backed up. */
export type BackedUpTable = {
  readonly table: TableName
  readonly table_id: string
  readonly version: number
  readonly commit_sha256: string
  readonly rows: number
  readonly data_files: number
}

/** Table of the trading database; its chunks are gzip files of COPY's text. */
export type BackedUpRows = {
  readonly table_name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly chunks: readonly StoredContent[]
}

/** Trading database at the snapshot that was backed up. */
export type BackedUpTrading = TradingHead & {
  readonly migrations: readonly AppliedMigration[]
  readonly tables: readonly BackedUpRows[]
}

/** Private files of the home and their handling: `none` if it has none. */
export type KeptKeys = {
  readonly handling: 'encrypted' | 'left_out' | 'none'
  readonly paths: readonly string[]
  readonly content: StoredContent | null
}

/** Everything of one backup. */
export type BackupManifest = {
  readonly format: 1
  readonly backup_id: string
  /** Release of tidemark that wrote it. */
  readonly release: string
  /** Everything published or acknowledged through this instant is in the backup. */
  readonly backed_up_through: Instant
  readonly warehouse_id: string
  readonly tables: readonly BackedUpTable[]
  /** Log of published records at its head; null: there is none. */
  readonly log: { readonly size: number; readonly root: string; readonly origin: string } | null
  /** null: the home has no trading database. */
  readonly trading: BackedUpTrading | null
  readonly keys: KeptKeys
  readonly files: readonly BackedUpFile[]
  /** Files of the home that are not in the backup, with the reason. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  /** Hash of all of the above. */
  readonly content_hash: string
}

/** Beginning of the paths of a warehouse and of its log, wherever both were and are restored to. */
export const WAREHOUSE = 'warehouse/'
export const LOG = `${WAREHOUSE}log/`

const FOLDER = 'backups'
const ID = /^\d{8}T\d{12}Z$/

/** Returns the id of a backup, which sorts by its instant. */
export function backupId(through: Instant, micros: Micros): string {
  return `${through.slice(0, 19).replaceAll(/[-:]/g, '')}${String(micros % 1_000_000).padStart(6, '0')}Z`
}

/** Writes a manifest, which makes its backup visible. */
export async function writeManifest(
  folder: string,
  backup: Omit<BackupManifest, 'content_hash'>,
): Promise<BackupManifest> {
  const manifest: BackupManifest = { ...backup, content_hash: contentHash(backup) }
  await makeFolder(join(folder, FOLDER))
  const path = manifestPath(folder, backup.backup_id)
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 1)}\n`, { mode: OWNER_ALONE, flush: true })
  await rename(`${path}.new`, path)
  return manifest
}

/** Returns the path of a manifest. */
export function manifestPath(folder: string, backup_id: string): string {
  return join(folder, FOLDER, `${backup_id}.json`)
}

/** Returns the ids of the backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, FOLDER)).catch(absentOn('ENOENT', [] as string[]))
  return names.flatMap((name) => (name.endsWith('.json') && ID.test(name.slice(0, -5)) ? name.slice(0, -5) : [])).sort()
}

/**
 * Reads the manifest of a backup.
 * @param backup_id null: the newest
 * @throws {ServiceError} BACKUP_NOT_FOUND, BACKUP_CORRUPT; BACKUP_UNSUPPORTED: another format than 1
 */
export async function readManifest(folder: string, backup_id: string | null): Promise<BackupManifest> {
  const ids = (await isBackupFolder(folder)) ? await listBackups(folder) : []
  const wanted = backup_id ?? ids.at(-1)
  if (wanted === undefined || !ids.includes(wanted)) throw notFound(folder, backup_id, ids)
  const file = `${FOLDER}/${wanted}.json`
  const manifest = parseManifest(await readFile(join(folder, file), 'utf8'), file)
  const { content_hash, ...backup } = manifest
  if (contentHash(backup) !== content_hash) throw backupCorrupt(file, 'its content_hash is that of another manifest')
  return manifest
}

function parseManifest(text: string, file: string): BackupManifest {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw backupCorrupt(file, 'it is not JSON')
  }
  if (!isObject(found)) throw backupCorrupt(file, 'it is not a manifest')
  if (found.format !== 1) throw backupNewer(`the format ${String(found.format)}`)
  return found as BackupManifest
}

function notFound(folder: string, backup_id: string | null, ids: readonly string[]): ServiceError {
  const seen = backup_id === null ? `there is no backup in ${folder}` : `there is no backup ${backup_id} in ${folder}`
  const allowed = ids.length === 0 ? 'a folder that `tidemark backup` has written to' : ids.slice(-5).join(', ')
  return new ServiceError('BACKUP_NOT_FOUND', `${seen}; allowed: ${allowed}`, { folder })
}
