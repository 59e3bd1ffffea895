import { randomUUID } from 'node:crypto'
import {
  addStored,
  type ChunkReport,
  NOTHING_STORED,
  type StoredCounts,
} from '../../operations/backfill/backfill-types.ts'
import type { Store, StoreKey } from '../../warehouse/store/store.ts'
import { backfillFolder, segmentsFolder } from '../../warehouse/store/work-keys.ts'
import { readSegments, SegmentWriter } from './journal-segments.ts'

/** Finished chunks of a backfill: a backfill that was interrupted, or lost its history, does not read them again. */
export type ChunkJournal = {
  /** Returns the report of a chunk; null if it is not done. */
  find(key: string): Promise<ChunkReport | null>
  add(key: string, report: ChunkReport): Promise<void>
  /** Counts what a planning or the attempts at a chunk store, until it is done: a repeat does not store that again. */
  counts(key: string): StoredTally
  /** Deletes the journal of a finished backfill, and its plans, so that a new start repeats all chunks. */
  remove(): Promise<void>
}

/** Counts of what earlier attempts and this one have stored. */
type StoredTally = {
  /** Notes what this attempt has stored so far. */
  note(so_far: StoredCounts): void
  /** Returns the sum over all attempts, once it is in the store. */
  sum(): Promise<StoredCounts>
}

/** Writers of this process by the folder of their journal. */
const writers = new WeakMap<Store, Map<StoreKey, SegmentWriter>>()

/** Opens the journal of a backfill, one line per chunk. A missing or damaged journal only costs repeated reads. */
export async function openChunkJournal(store: Store, backfill_id: string): Promise<ChunkJournal> {
  const folder = await segmentsFolder(store, backfillFolder(backfill_id))
  const writer = writerOf(store, folder)
  return {
    async find(key) {
      const [line] = linesOf(await readSegments(store, folder), key)
      return line === undefined ? null : valueIn<ChunkReport>(line)
    },
    add: (key, report) => writer.add(JSON.stringify([key, report])),
    counts: (key) => openTally(`stored ${key}`, writer, () => readSegments(store, folder)),
    async remove() {
      writers.get(store)?.delete(folder)
      for await (const object of store.list(backfillFolder(backfill_id))) await store.delete(object.key)
    },
  }
}

function writerOf(store: Store, folder: StoreKey): SegmentWriter {
  const known = writers.get(store) ?? new Map<StoreKey, SegmentWriter>()
  writers.set(store, known)
  const writer = known.get(folder) ?? new SegmentWriter(store, folder)
  known.set(folder, writer)
  return writer
}

/** A line is the count so far of one attempt; its last line counts. One that cannot be written only costs its count. */
function openTally(key: string, writer: SegmentWriter, read: () => Promise<string>): StoredTally {
  const attempt = randomUUID()
  let writing: Promise<void> = Promise.resolve()
  let mine = NOTHING_STORED
  return {
    note(so_far) {
      mine = so_far
      if (Object.values(so_far).every((count) => count === 0)) return
      writing = writer.add(JSON.stringify([key, { attempt, ...so_far }])).catch(() => undefined)
    },
    async sum() {
      await writing
      const last = new Map<string, StoredCounts>()
      for (const line of linesOf(await read(), key)) {
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
    return null // its writer was killed, in a journal of an earlier release
  }
}
