import { createBackoff } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'
import { waitFor } from '../live/wait-for.ts'
import type { BackfillJournal } from './backfill-journal.ts'
import { recordBackfill } from './backfill-progress.ts'
import { type BackfillSubject, doChunk, planSubject, type SubjectChunk, subjectIdOf } from './backfill-subject.ts'
import type { BackfillProgress, FailedChunk } from './backfill-types.ts'
import { chunkKey } from './chunks.ts'
import { JournalKeeper } from './journal-keeper.ts'
import type { BackfillReport, BackfillRunPorts } from './run-types.ts'
import { StoredSoFar } from './stored-so-far.ts'

const PARALLEL = 4
/** Attempts at one chunk, with growing waits between them. */
const ATTEMPTS = 5
/** Failures of one chunk, whose venue answers badly; the others are read. */
const OF_CHUNK: readonly ErrorCode[] = ['BACKFILL_CHUNK_INCOMPLETE', 'VENUE_ANSWER_REFUSED']
/** Interval between two stored rows of progress. */
const RECORD_MS = 10_000
/** Longest time without a stored row, also of one that waits; one without rows for some minutes is shown as interrupted. */
export const REPORT_MS = 60_000

type CourseFacts = {
  readonly ports: BackfillRunPorts
  readonly backfill_id: string
  readonly started_at: string
  readonly earlier: BackfillJournal | null
}

/** One run of one backfill. */
export class Course {
  readonly #subject: BackfillSubject
  readonly #facts: CourseFacts
  readonly #done: Set<string>
  #total = 0
  #done_here = 0
  #resumed = 0
  readonly #stored: StoredSoFar
  readonly #journal: JournalKeeper
  #records_quarantined: number
  readonly #failed: FailedChunk[] = []
  #recorded_ms = 0
  /** null: it is ending. */
  #state: BackfillState | null = null
  #breaking: Promise<void> = Promise.resolve()

  constructor(subject: BackfillSubject, facts: CourseFacts) {
    this.#subject = subject
    this.#facts = facts
    this.#done = new Set(facts.earlier?.done)
    this.#records_quarantined = facts.earlier?.records_quarantined ?? 0
    const { records_new = 0, marks_published = 0 } = facts.earlier ?? {}
    this.#journal = new JournalKeeper(facts.ports.warehouse.store, () => this.#journalNow())
    this.#stored = new StoredSoFar({ records_new, marks_published }, () => this.#journal.note())
  }

  /** Plans the chunks, and counts what that stores. */
  plan(): Promise<SubjectChunk[]> {
    const { ports } = this.#facts
    return this.#stored.counted((on_stored) => planSubject(this.#subject, { ...ports, on_stored }))
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
    await this.#journal.end(state === 'done')
    const progress = await this.record(state)
    return {
      ...progress,
      records_quarantined: this.#records_quarantined,
      marks_published: this.#stored.sum().marks_published,
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
    this.#journal.note()
    this.#journal.requireWritten()
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
        return await this.#stored.counted((on_stored) => doChunk(chunk, { ...ports, on_stored }))
      } catch (error) {
        signal.throwIfAborted()
        const may_help = isServiceError(error) && ERROR_CODES[error.code].retryable
        if (!may_help || attempt >= ATTEMPTS) throw error
        ports.on_problem?.(error)
        await waitFor(backoff.next(), signal)
      }
    }
  }

  #journalNow(): Omit<BackfillJournal, 'complete'> {
    const { backfill_id, started_at } = this.#facts
    const { records_new, marks_published } = this.#stored.sum()
    const records_quarantined = this.#records_quarantined
    const done = [...this.#done]
    return { format: 1, backfill_id, started_at, records_new, records_quarantined, marks_published, done }
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
      records_new: this.#stored.sum().records_new,
      started_at,
      updated_at: formatMicros(await ports.warehouse.now()),
    }
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
