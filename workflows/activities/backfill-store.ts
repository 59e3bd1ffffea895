import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import {
  addStored,
  type ChunkReport,
  NOTHING_STORED,
  type StoredCounts,
} from '../../operations/backfill/backfill-types.ts'
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
  /** Counts what a planning or the attempts at a chunk store, until it is done: a repeat does not store that again. */
  counts(key: string): StoredTally
  /** Deletes the journal of a finished backfill, so that a new start repeats all chunks. */
  remove(): Promise<void>
}

/** Counts of what earlier attempts and this one have stored. */
type StoredTally = {
  /** Notes what this attempt has stored so far. */
  note(so_far: StoredCounts): void
  /** Returns the sum over all attempts, once it is on disk. */
  sum(): Promise<StoredCounts>
}

/** Returns the file of a backfill's journal. */
export function chunkJournalPath(home: string, backfill_id: string): string {
  return `${basePath(home, backfill_id)}.chunks.ndjson`
}

/** Opens the journal of a backfill, one line per chunk. A missing or damaged journal only costs repeated reads. */
export function openChunkJournal(home: string, backfill_id: string): ChunkJournal {
  const path = chunkJournalPath(home, backfill_id)
  return {
    async find(key) {
      const text = await readFile(path, 'utf8').catch(() => '')
      const [line] = linesOf(text, key)
      return line === undefined ? null : valueIn<ChunkReport>(line)
    },
    async add(key, report) {
      await mkdir(dirname(path), { recursive: true })
      await appendFile(path, `${JSON.stringify([key, report])}\n`)
    },
    counts: (key) => openTally(path, `stored ${key}`),
    remove: () => rm(path, { force: true }),
  }
}

/** A line is the count so far of one attempt; its last line counts. One that cannot be written only costs its count. */
function openTally(path: string, key: string): StoredTally {
  const attempt = randomUUID()
  let writing: Promise<void> = Promise.resolve()
  let mine = NOTHING_STORED
  return {
    note(so_far) {
      mine = so_far
      if (Object.values(so_far).every((count) => count === 0)) return
      writing = writing
        .then(() => mkdir(dirname(path), { recursive: true }))
        .then(() => appendFile(path, `${JSON.stringify([key, { attempt, ...so_far }])}\n`))
        .catch(() => undefined)
    },
    async sum() {
      await writing
      const text = await readFile(path, 'utf8').catch(() => '')
      const last = new Map<string, StoredCounts>()
      for (const line of linesOf(text, key)) {
        const counts = valueIn<StoredCounts & { readonly attempt: string }>(line)
        if (counts !== null) last.set(counts.attempt, counts)
      }
      last.set(attempt, mine)
      return [...last.values()].reduce(addStored, NOTHING_STORED)
    },
  }
}

function linesOf(text: string, key: string): string[] {
  const start = `${JSON.stringify([key]).slice(0, -1)},`
  return text.split('\n').filter((line) => line.startsWith(start))
}

function valueIn<T>(line: string): T | null {
  try {
    return (JSON.parse(line) as [string, T])[1]
  } catch {
    return null // its writer was killed
  }
}

function basePath(home: string, backfill_id: string): string {
  return join(home, 'backfills', contentHash(backfill_id).slice('sha256:'.length, 24))
}
