import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import { type ChunkReport, NOTHING_STORED, type StoredCounts } from '../../operations/backfill/backfill-types.ts'
import { chunkKey, chunksOf, indexChunks } from '../../operations/backfill/chunks.ts'
import type { Store } from '../../warehouse/store/store.ts'
import { backfillFolder, segmentsFolder } from '../../warehouse/store/work-keys.ts'
import { addSums, type BackfillPart, type ChunkSums, NO_CHUNKS } from '../backfill-plan.ts'
import { readSegments } from './journal-segments.ts'

/** Notes in the journal of a backfill, of this run and of those before it. */
export type ChunkNotes = {
  /** Sums over all of it: finished chunks, and what planning and unfinished chunks have stored. */
  readonly sums: ChunkSums
  /** Returns the sums over the chunks of a part; null unless all of them are done. */
  sumsOf(subject: BackfillSubject, part: BackfillPart): ChunkSums | null
}

type Attempt = StoredCounts & { readonly attempt: string }
type Noted = { readonly done: Map<string, ChunkReport>; readonly stored: Map<string, Map<string, StoredCounts>> }

/** Reads the journal of a backfill; one that is missing notes nothing. */
export async function readChunkNotes(store: Store, backfill_id: string): Promise<ChunkNotes> {
  const text = await readSegments(store, await segmentsFolder(store, backfillFolder(backfill_id)))
  const { done, stored } = notedIn(text)
  const unfinished = [...stored].filter(([key]) => !done.has(key)).flatMap(([, attempts]) => [...attempts.values()])
  const sums = [...[...done.values()].map(doneSums), ...unfinished.map(storedSums)].reduce(addSums, NO_CHUNKS)
  return {
    sums,
    sumsOf: (subject, part) => {
      const reports = keysOf(subject, part).map((key) => done.get(key))
      const is_done = reports.every((report) => report !== undefined)
      return is_done ? reports.map(doneSums).reduce(addSums, NO_CHUNKS) : null
    },
  }
}

function notedIn(text: string): Noted {
  const noted: Noted = { done: new Map(), stored: new Map() }
  for (const line of text.split('\n')) {
    const entry = entryIn(line)
    if (entry === null) continue
    const [key, value] = entry
    const [, of] = /^stored (.*)$/s.exec(key) ?? []
    if (of === undefined) {
      if (!noted.done.has(key)) noted.done.set(key, value as ChunkReport)
      continue
    }
    const attempts = noted.stored.get(of) ?? new Map<string, StoredCounts>()
    noted.stored.set(of, attempts.set((value as Attempt).attempt, value as Attempt))
  }
  return noted
}

function entryIn(line: string): [string, object] | null {
  try {
    return JSON.parse(line) as [string, object]
  } catch {
    return null // the last line of the text, or one whose writer was killed
  }
}

function doneSums(report: ChunkReport): ChunkSums {
  return { ...NO_CHUNKS, ...report, chunks_done: 1 }
}

function storedSums({ records_new, records_revised, marks_published }: StoredCounts = NOTHING_STORED): ChunkSums {
  return { ...NO_CHUNKS, records_new, records_revised, marks_published }
}

function keysOf({ request }: BackfillSubject, part: BackfillPart): string[] {
  if ('index_id' in request) return indexChunks(part.subject, part).map(chunkKey)
  const market = { source_market_id: part.subject, opens_at: null, ended_at: null }
  return chunksOf({ venue_id: request.venue_id, from: part.from, to: part.to }, [market]).map(chunkKey)
}
