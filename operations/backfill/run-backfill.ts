import { createBackoff } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'
import { waitFor } from '../live/wait-for.ts'
import { type BackfillJournal, readJournal, writeJournal } from './backfill-journal.ts'
import { recordBackfill } from './backfill-progress.ts'
import {
  type BackfillSubject,
  backfillIdOf,
  doChunk,
  planSubject,
  type SubjectChunk,
  subjectIdOf,
} from './backfill-subject.ts'
import {
  type BackfillPorts,
  type BackfillProgress,
  type FailedChunk,
  NOTHING_STORED,
  type StoredCounts,
} from './backfill-types.ts'
import { chunkKey } from './chunks.ts'

export type BackfillRunPorts = BackfillPorts & {
  /** Folder of the journal by which a later run resumes. */
  readonly home: string
  readonly on_progress?: (progress: BackfillProgress) => void
  /** Receives failures that are retried. */
  readonly on_problem?: (error: unknown) => void
  /** Number of markets read at once; 4 when left out. */
  readonly parallel?: number
  /** Longest time without a stored row of progress; a minute when left out. */
  readonly report_ms?: number
}

export type BackfillReport = BackfillProgress & {
  readonly records_quarantined: number
  /** Marks published of the markets' outcomes, first ones and revisions. */
  readonly marks_published: number
  /** Chunks completed by an earlier run. */
  readonly chunks_resumed: number
  /** Chunks that the venue did not answer readably; the next run reads them again. */
  readonly failed: readonly FailedChunk[]
}

const PARALLEL = 4
/** Attempts at one chunk, with growing waits between them. */
const ATTEMPTS = 5
/** Failures of one chunk, whose venue answers badly; the others are read. */
const OF_CHUNK: readonly ErrorCode[] = ['BACKFILL_CHUNK_INCOMPLETE', 'VENUE_ANSWER_REFUSED']
/** Intervals between two stored rows of progress, and between two versions of the journal. */
const RECORD_MS = 10_000
const KEEP_MS = 1_000
/** Longest time without a stored row, also of one that waits; one without rows for some minutes is shown as interrupted. */
const REPORT_MS = 60_000

/**
 * Fills in the past within this process, without a server: chunk after chunk, several markets at once. An interrupted backfill is
 * resumed by the next run; a completed one starts over, and stores nothing that is stored already. A chunk whose answers cannot be
 * read is left out and named, and the run ends as failed.
 * @throws {ServiceError} the errors of planning, the last failure of a chunk that was retried in vain (completed chunks stay
 *   complete), or the signal's reason
 */
export async function runBackfill(subject: BackfillSubject, ports: BackfillRunPorts): Promise<BackfillReport> {
  const { warehouse, home } = ports
  const backfill_id = backfillIdOf(subject)
  const earlier = await readJournal(home, backfill_id)
  const started_at = earlier?.started_at ?? formatMicros(await warehouse.now())
  const course = new Course(subject, { ports, backfill_id, started_at, earlier })
  await course.record('planning')
  const silence = setInterval(() => course.breakSilence(), ports.report_ms ?? REPORT_MS)
  try {
    const chunks = await course.counted((on_stored) => planSubject(subject, { ...ports, on_stored }))
    await course.run(chunks)
    return await course.end(course.isWhole() ? 'done' : 'failed')
  } catch (error) {
    await course.end(ports.signal?.aborted === true ? 'cancelled' : 'failed')
    throw error
  } finally {
    clearInterval(silence)
  }
}

/** Chunks by their group, in the order of the groups' first chunks. */
function grouped(chunks: readonly SubjectChunk[]): SubjectChunk[][] {
  const groups = new Map<string, SubjectChunk[]>()
  for (const chunk of chunks) {
    const known = groups.get(chunk.group)
    if (known === undefined) groups.set(chunk.group, [chunk])
    else known.push(chunk)
  }
  return [...groups.values()]
}

type CourseFacts = {
  readonly ports: BackfillRunPorts
  readonly backfill_id: string
  readonly started_at: string
  readonly earlier: BackfillJournal | null
}

/** One run of one backfill. */
class Course {
  readonly #subject: BackfillSubject
  readonly #facts: CourseFacts
  readonly #done: Set<string>
  #total = 0
  #done_here = 0
  #resumed = 0
  #records_new: number
  #records_quarantined: number
  #marks_published: number
  readonly #failed: FailedChunk[] = []
  #recorded_ms = 0
  #kept_ms = 0
  /** null: it is ending. */
  #state: BackfillState | null = null
  #breaking: Promise<void> = Promise.resolve()

  constructor(subject: BackfillSubject, facts: CourseFacts) {
    this.#subject = subject
    this.#facts = facts
    this.#done = new Set(facts.earlier?.done)
    this.#records_new = facts.earlier?.records_new ?? 0
    this.#records_quarantined = facts.earlier?.records_quarantined ?? 0
    this.#marks_published = facts.earlier?.marks_published ?? 0
  }

  /** Does work, and counts what it stores: also where it fails, because a repeat does not store that again. */
  async counted<T>(work: (on_stored: (so_far: StoredCounts) => void) => Promise<T>): Promise<T> {
    let stored = NOTHING_STORED
    try {
      return await work((so_far) => {
        stored = so_far
      })
    } finally {
      this.#records_new += stored.records_new
      this.#marks_published += stored.marks_published
    }
  }

  /** Runs the remaining chunks: those of one group in order, several groups at once. */
  async run(chunks: readonly SubjectChunk[]): Promise<void> {
    const left = chunks.filter(({ chunk }) => !this.#done.has(chunkKey(chunk)))
    this.#total = chunks.length
    this.#resumed = chunks.length - left.length
    await this.record('running')
    const groups = grouped(left)
    const failed = new AbortController()
    const worker = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        for (const chunk of group) {
          if (failed.signal.aborted) return
          await this.#do(chunk)
        }
      }
    }
    const { parallel = PARALLEL } = this.#facts.ports
    const workers = Array.from({ length: parallel }, () =>
      worker().catch((error: unknown) => {
        failed.abort()
        throw error
      }),
    )
    const ended = await Promise.allSettled(workers)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  /** Stores a row of progress again if there was none for some time. A failure is that of the work itself, which stores more. */
  breakSilence(): void {
    const { report_ms = REPORT_MS } = this.#facts.ports
    if (this.#state === null || performance.now() - this.#recorded_ms < report_ms) return
    this.#breaking = this.record(this.#state).then(
      () => undefined,
      () => undefined,
    )
  }

  /** Stores a row of progress and reports it. */
  async record(state: BackfillState): Promise<BackfillProgress> {
    const progress = await this.#progress(state)
    this.#state = state
    this.#recorded_ms = performance.now()
    await recordBackfill(this.#facts.ports.warehouse, progress)
    this.#facts.ports.on_progress?.(progress)
    return progress
  }

  async end(state: BackfillState): Promise<BackfillReport> {
    this.#state = null
    await this.#breaking
    await this.#keep(state === 'done')
    const progress = await this.record(state)
    return {
      ...progress,
      records_quarantined: this.#records_quarantined,
      marks_published: this.#marks_published,
      chunks_resumed: this.#resumed,
      failed: this.#failed,
    }
  }

  isWhole(): boolean {
    return this.#failed.length === 0
  }

  async #do(chunk: SubjectChunk): Promise<void> {
    const { ports } = this.#facts
    const counts = await this.#untilDone(chunk).catch((error: unknown) => {
      if (!isServiceError(error) || !OF_CHUNK.includes(error.code)) throw error
      const { code, message } = error
      this.#failed.push({ subject: chunk.group, from: chunk.chunk.from, code, message })
      return null
    })
    if (counts === null) return
    this.#done.add(chunkKey(chunk.chunk))
    this.#done_here += 1
    this.#records_quarantined += counts.records_quarantined
    if (performance.now() - this.#kept_ms >= KEEP_MS) await this.#keep(false)
    if (performance.now() - this.#recorded_ms >= RECORD_MS) await this.record('running')
    else ports.on_progress?.(await this.#progress('running'))
  }

  /** Retries with growing waits while the venue does not answer; other failures are final. */
  async #untilDone(chunk: SubjectChunk): ReturnType<typeof doChunk> {
    const { ports } = this.#facts
    const signal = ports.signal ?? new AbortController().signal
    const backoff = createBackoff()
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted()
      try {
        return await this.counted((on_stored) => doChunk(chunk, { ...ports, on_stored }))
      } catch (error) {
        signal.throwIfAborted()
        const may_help = isServiceError(error) && ERROR_CODES[error.code].retryable
        if (!may_help || attempt >= ATTEMPTS) throw error
        ports.on_problem?.(error)
        await waitFor(backoff.next(), signal)
      }
    }
  }

  async #keep(complete: boolean): Promise<void> {
    this.#kept_ms = performance.now()
    const { ports, backfill_id, started_at } = this.#facts
    await writeJournal(ports.home, {
      format: 1,
      backfill_id,
      complete,
      started_at,
      records_new: this.#records_new,
      records_quarantined: this.#records_quarantined,
      marks_published: this.#marks_published,
      done: [...this.#done],
    })
  }

  async #progress(state: BackfillState): Promise<BackfillProgress> {
    const { ports, backfill_id, started_at } = this.#facts
    const { from, to } = this.#subject.request
    return {
      backfill_id,
      subject_kind: this.#subject.kind,
      subject_id: subjectIdOf(this.#subject),
      from,
      to,
      state,
      chunks_total: this.#total,
      chunks_done: this.#resumed + this.#done_here,
      records_new: this.#records_new,
      started_at,
      updated_at: formatMicros(await ports.warehouse.now()),
    }
  }
}
