import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import type { ChunkReport } from '../../operations/backfill/backfill-types.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { BackfillPart } from '../backfill-plan.ts'

type Stored = { readonly subject: BackfillSubject; readonly parts: readonly BackfillPart[] }

/** Returns the file of a backfill's plan: a plan of many markets is too large for a history. */
export function planPath(home: string, backfill_id: string): string {
  return `${basePath(home, backfill_id)}.plan.json`
}

/** Reads the stored plan; null if it does not exist or has another subject. */
export async function readPlan(path: string, subject: BackfillSubject): Promise<readonly BackfillPart[] | null> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Stored
    return contentHash(stored.subject) === contentHash(subject) ? stored.parts : null
  } catch {
    return null // never written here, or only partly
  }
}

/** Stores a plan atomically. */
export async function writePlan(path: string, plan: Stored): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.${process.pid}`, JSON.stringify(plan))
  await rename(`${path}.${process.pid}`, path)
}

/** Finished chunks of a backfill: a backfill that was interrupted, or lost its history, does not read them again. */
export type ChunkJournal = {
  /** Returns the report of a chunk; null if it is not done. */
  find(key: string): Promise<ChunkReport | null>
  add(key: string, report: ChunkReport): Promise<void>
  /** Deletes the journal of a finished backfill, so that a new start repeats all chunks. */
  remove(): Promise<void>
}

/** Opens the journal of a backfill, one line per chunk. A missing or damaged journal only costs repeated reads. */
export function openChunkJournal(home: string, backfill_id: string): ChunkJournal {
  const path = `${basePath(home, backfill_id)}.chunks.ndjson`
  return {
    async find(key) {
      const text = await readFile(path, 'utf8').catch(() => '')
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${JSON.stringify([key]).slice(0, -1)},`))
      return line === undefined ? null : reportIn(line)
    },
    async add(key, report) {
      await mkdir(dirname(path), { recursive: true })
      await appendFile(path, `${JSON.stringify([key, report])}\n`)
    },
    remove: () => rm(path, { force: true }),
  }
}

function reportIn(line: string): ChunkReport | null {
  try {
    return (JSON.parse(line) as [string, ChunkReport])[1]
  } catch {
    return null // its writer was killed
  }
}

function basePath(home: string, backfill_id: string): string {
  return join(home, 'backfills', contentHash(backfill_id).slice('sha256:'.length, 24))
}
