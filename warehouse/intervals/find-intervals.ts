import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { commitKey, parseCommit } from '../log/commit-text.ts'
import type { SourceIntervals } from '../read/table-source.ts'
import type { Snapshot } from '../warehouse.ts'
import { derivedFolder, fileHash, type IntervalManifest, manifestPath, schemaHash } from './interval-files.ts'

/**
 * The derived interval file of a table if it can be trusted for this snapshot: made from an earlier or the same version of
 * the same log, in today's form, with the bytes its manifest states. Anything else is as if there were none, so a reader
 * gets the same answer, only later.
 */
export async function findIntervals(root: string, snapshot: Snapshot): Promise<SourceIntervals | null> {
  const manifest = await readManifest(root, snapshot)
  if (manifest === null || !(await isContinuedBy(root, manifest, snapshot))) return null
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

/** The log still has the version that the file was made from: it was not put back and continued differently. */
async function isContinuedBy(root: string, manifest: IntervalManifest, snapshot: Snapshot): Promise<boolean> {
  if (manifest.version === snapshot.version) return manifest.commit_sha256 === snapshot.commit_sha256
  try {
    const bytes = await readFile(join(root, commitKey(manifest.table, manifest.version)))
    return parseCommit(manifest.table, manifest.version, bytes).clock.commit_sha256 === manifest.commit_sha256
  } catch {
    return false
  }
}

/** Files whose hash was checked by this process, with what would change if they did. */
const INTACT = new Map<string, string>()

async function isIntact(path: string, manifest: IntervalManifest): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found === null || found.size !== manifest.file_bytes) return false
  const state = `${manifest.file_sha256} ${found.ino} ${found.mtimeMs} ${found.ctimeMs}`
  if (INTACT.get(path) === state) return true
  if ((await fileHash(path).catch(() => null)) !== manifest.file_sha256) return false
  INTACT.set(path, state)
  return true
}
