import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceIntervals } from '../read/table-source.ts'
import { hashFile } from '../store/hash-file.ts'
import type { Snapshot, TableLog } from '../warehouse.ts'
import { derivedFolder, type IntervalManifest, manifestPath, schemaHash } from './interval-files.ts'

/**
 * Returns the derived interval file of a table if it is valid for this snapshot: made from the same or an earlier version of
 * the same log, in the current format, with the hash in its manifest. Otherwise null: the reader gets the same answer, slower.
 */
export async function findIntervals(
  root: string,
  snapshot: Snapshot,
  log: Pick<TableLog, 'commit'>,
): Promise<SourceIntervals | null> {
  const manifest = await readManifest(root, snapshot)
  if (manifest === null || !(await isContinuedBy(log, manifest, snapshot))) return null
  const path = join(derivedFolder(root, snapshot.table), manifest.file)
  return (await isIntact(path, manifest)) ? { path, covered_to: manifest.covered_to } : null
}

async function readManifest(root: string, snapshot: Snapshot): Promise<IntervalManifest | null> {
  const text = await readFile(manifestPath(root, snapshot.table), 'utf8').catch(() => null)
  const manifest = text === null ? null : parseJson(text)
  if (manifest === null || manifest.table_id !== snapshot.table_id) return null
  return manifest.schema_sha256 === schemaHash(snapshot.table) && manifest.version <= snapshot.version ? manifest : null
}

function parseJson(text: string): IntervalManifest | null {
  try {
    return JSON.parse(text) as IntervalManifest
  } catch {
    return null
  }
}

/** True if the log still contains the version that the file was made from: it was not restored and continued differently. */
async function isContinuedBy(
  log: Pick<TableLog, 'commit'>,
  manifest: IntervalManifest,
  snapshot: Snapshot,
): Promise<boolean> {
  if (manifest.version === snapshot.version) return manifest.commit_sha256 === snapshot.commit_sha256
  try {
    return (await log.commit(manifest.version))?.clock.commit_sha256 === manifest.commit_sha256
  } catch {
    return false
  }
}

/** Files whose hash this process has checked, with the attributes that change with them. */
const INTACT = new Map<string, string>()

async function isIntact(path: string, manifest: IntervalManifest): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found === null || found.size !== manifest.file_bytes) return false
  const state = `${manifest.file_sha256} ${found.ino} ${found.mtimeMs} ${found.ctimeMs}`
  if (INTACT.get(path) === state) return true
  if ((await hashFile(path).catch(() => null)) !== manifest.file_sha256) return false
  INTACT.set(path, state)
  return true
}
