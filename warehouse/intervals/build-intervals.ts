import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMemoryDatabase } from '../duckdb/memory-database.ts'
import { chainList, columnList, currentKey, dataRelation, instantLiteral, sameChain } from '../read/table-relations.ts'
import { quoteText, readSql } from '../sql/read-sql.ts'
import { hashFile } from '../store/hash-file.ts'
import { storeError } from '../store/store-error.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { derivedFolder, type IntervalManifest, manifestPath, schemaHash } from './interval-files.ts'

/**
 * Derives the interval file of a table's newest version and publishes it to readers; returns null if the table has no rows.
 * Readers give the same answers before, during and after.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names a damaged data file; WAREHOUSE_STORE_FULL, WAREHOUSE_STORE_UNSUITABLE
 */
export async function buildIntervals(warehouse: Warehouse, table: TableName): Promise<IntervalManifest | null> {
  const snapshot = await warehouse.log(table).snapshot()
  if (snapshot.rows === 0) return null
  const paths = await warehouse.log(table).ensureVerified(snapshot.files)
  const folder = derivedFolder(warehouse.local_root, table)
  await mkdir(folder, { recursive: true })
  const file = `intervals-${snapshot.version}-${randomUUID()}.parquet`
  const path = join(folder, file)
  try {
    const rows = await writeIntervals(snapshot, paths, path)
    const manifest = await manifestOf(snapshot, rows, path, file)
    await publish(warehouse.local_root, manifest)
    return manifest
  } catch (error) {
    await rm(path, { force: true })
    throw storeError(error, warehouse.local_root)
  }
}

async function writeIntervals(snapshot: Snapshot, paths: readonly string[], path: string): Promise<number> {
  const { table } = snapshot
  const query = readSql(import.meta.url, 'sql/build_intervals.sql', {
    columns: columnList(table),
    rows: dataRelation(table, paths),
    covered: instantLiteral(snapshot.head_stamp!),
    chain: chainList(table),
    same_chain: sameChain(table, 'c', 't'),
    oldest: currentKey(table, 'asc'),
  })
  const scratch = `${path}.spill`
  const { connection, close } = await openMemoryDatabase({ temp_directory: scratch })
  try {
    const options = '(format parquet, compression zstd, compression_level 3, parquet_version v2)'
    const written = await connection.runAndReadAll(`copy (${query}) to ${quoteText(path)} ${options}`)
    return Number(written.getRows()[0]![0])
  } finally {
    close()
    await rm(scratch, { recursive: true, force: true })
  }
}

async function manifestOf(snapshot: Snapshot, rows: number, path: string, file: string): Promise<IntervalManifest> {
  return {
    table: snapshot.table,
    table_id: snapshot.table_id!,
    version: snapshot.version,
    commit_sha256: snapshot.commit_sha256!,
    covered_to: snapshot.head_stamp!,
    schema_sha256: schemaHash(snapshot.table),
    rows,
    file,
    file_bytes: (await stat(path)).size,
    file_sha256: await hashFile(path),
  }
}

/** Replaces the manifest in one step; the file it named before stays for readers that have just read the manifest. */
async function publish(root: string, manifest: IntervalManifest): Promise<void> {
  const folder = derivedFolder(root, manifest.table)
  const target = manifestPath(root, manifest.table)
  const partial = `${target}.${randomUUID()}`
  await writeFile(partial, `${JSON.stringify(manifest)}\n`)
  const handle = await open(partial, 'r')
  await handle.sync().finally(() => handle.close())
  await rename(partial, target)
  await removeOlder(folder, manifest)
}

/** Keeps this file and the newest of the earlier ones. */
async function removeOlder(folder: string, manifest: IntervalManifest): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^intervals-\d+-.*\.parquet$/.test(name))
  const older = names.filter((name) => name !== manifest.file).sort((a, b) => versionOf(b) - versionOf(a))
  for (const name of older.slice(1)) await rm(join(folder, name), { force: true })
}

function versionOf(name: string): number {
  return Number(name.split('-')[1])
}
