import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import type { FailedChunk } from '../operations/backfill/backfill-types.ts'
import type { Instant } from '../primitives/instants.ts'

/** Work of one child workflow: some consecutive days of one market, or an index. */
export type BackfillPart = {
  /** source_market_id or index_id. */
  readonly subject: string
  readonly from: Instant
  readonly to: Instant
  /** Number of its pieces of at most a day, done in sequence. */
  readonly chunks: number
  /** Sums of a part whose chunks an earlier run has all done: it is not run again. */
  readonly done?: ChunkSums
}

/** Sums over chunks; records_new also counts levels. */
export type ChunkSums = {
  readonly chunks_done: number
  readonly records_read: number
  readonly records_new: number
  readonly records_revised: number
  readonly records_duplicate: number
  readonly records_quarantined: number
  /** Absent in what workers of earlier releases report. */
  readonly marks_published?: number
}

export type PartReport = { readonly sums: ChunkSums; readonly failed: readonly FailedChunk[] }

export const NO_CHUNKS: ChunkSums = {
  chunks_done: 0,
  records_read: 0,
  records_new: 0,
  records_revised: 0,
  records_duplicate: 0,
  records_quarantined: 0,
  marks_published: 0,
}

/** Adds two sums. */
export function addSums(a: ChunkSums, b: ChunkSums): ChunkSums {
  return {
    chunks_done: a.chunks_done + b.chunks_done,
    records_read: a.records_read + b.records_read,
    records_new: a.records_new + b.records_new,
    records_revised: a.records_revised + b.records_revised,
    records_duplicate: a.records_duplicate + b.records_duplicate,
    records_quarantined: a.records_quarantined + b.records_quarantined,
    marks_published: (a.marks_published ?? 0) + (b.marks_published ?? 0),
  }
}

/** Combines two sums over the same chunks; either may lack some. Returns the larger of each count. */
export function largerSums(a: ChunkSums, b: ChunkSums): ChunkSums {
  const counts = Object.keys(NO_CHUNKS) as (keyof ChunkSums)[]
  return { ...a, ...Object.fromEntries(counts.map((count) => [count, Math.max(a[count] ?? 0, b[count] ?? 0)])) }
}

/** Returns the venue or index of a backfill. */
export function aboutOf({ request }: BackfillSubject): { readonly venue_id: string } | { readonly index_id: string } {
  return 'index_id' in request ? { index_id: request.index_id } : { venue_id: request.venue_id }
}

/** Most chunks of a part: a part is an event of its backfill's history, a chunk one of the part's own. */
const PART_CHUNKS_MAX = 7

type Chunk = { readonly subject: string; readonly from: Instant; readonly to: Instant }

/** Groups consecutive chunks of a subject into parts of at most PART_CHUNKS_MAX. Pure. */
export function partsOf(chunks: readonly Chunk[]): BackfillPart[] {
  const parts: { subject: string; from: Instant; to: Instant; chunks: number }[] = []
  for (const { subject, from, to } of chunks) {
    const last = parts.at(-1)
    const joins = last !== undefined && last.subject === subject && last.to === from && last.chunks < PART_CHUNKS_MAX
    if (!joins) {
      parts.push({ subject, from, to, chunks: 1 })
      continue
    }
    last.to = to
    last.chunks += 1
  }
  return parts
}
