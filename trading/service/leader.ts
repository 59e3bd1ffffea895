import type { Micros } from '../../primitives/instants.ts'
import type { EngineState } from '../engine/state.ts'
import type { BatchRow } from '../projections/rows.ts'
import { renewLease } from '../store/lease.ts'
import { loadState } from '../store/load-state.ts'
import { contentOf, internalError, PoisonedBatch, PoisonedSubmission } from './batch-failure.ts'
import { answerBatch, type CommitPorts, commitBatch, ticketsOf } from './commit-batch.ts'
import { type BatchTally, type DecidedBatch, type DecisionPorts, decideBatch } from './decide-batch.ts'
import { type SubmissionQueue, type Ticket, unavailable } from './submission-queue.ts'

/** Committed work, for metrics. */
export type CommittedBatch = BatchTally & {
  readonly submissions: number
  readonly events: number
  readonly engine_sequence: number
  /** Time from sending it to its answers. */
  readonly took_ms: number
  /** Whether it had something to write. */
  readonly is_written: boolean
}

export type LeaderPorts = DecisionPorts &
  CommitPorts & {
    readonly queue: SubmissionQueue
    /** Wall clock. */
    readonly now: () => Micros
    readonly batch_max: number
    readonly onBatch?: ((batch: CommittedBatch) => void) | undefined
    readonly onFault?: ((error: unknown) => void) | undefined
  }

/** Failed submissions that a leader remembers. */
const POISONED_MAX = 10_000

/** A batch being written. */
type SentBatch = { readonly tickets: readonly Ticket[]; readonly answered: Promise<void>; has_ended: boolean }

/**
 * One term of leadership: state in memory, batch after batch. A batch takes everything that waits; it is applied, written in one
 * transaction and answered only after the commit. Meanwhile the next batch is decided and its statements are made; it is sent
 * once the previous one is committed, so that the database never holds a successor of an uncommitted batch. With many callers of
 * few submissions each, a batch gathers for a moment.
 */
export class Leader {
  readonly #ports: LeaderPorts
  /** State after every decided batch. */
  #state: EngineState
  /** Row of the last decided batch. */
  #last: BatchRow | null
  /** Counts committed work only. */
  #engine_sequence: number
  #sent: SentBatch | null = null
  #renewed_at = performance.now()
  #stopping = false
  /** Contents of submissions that failed alone; each would cost a reload again. */
  readonly #poisoned = new Set<string>()
  #poisoned_count = 0
  #is_idle = false

  constructor(ports: LeaderPorts, state: EngineState, last: BatchRow | null) {
    this.#ports = ports
    this.#state = state
    this.#last = last
    this.#engine_sequence = state.engine_sequence
  }

  /** Reads the state after the lease was acquired. */
  static async load(ports: LeaderPorts): Promise<Leader> {
    const { state, last_batch } = await loadState(ports.connection, ports.core.rebuild)
    return new Leader(ports, state, last_batch)
  }

  /** Counts committed work only. */
  get engine_sequence(): number {
    return this.#engine_sequence
  }

  /** Submissions that failed alone. */
  get poisoned_submissions(): number {
    return this.#poisoned_count
  }

  /** The state in memory; while idle it can be compared with a reload. */
  get state(): EngineState {
    return this.#state
  }

  stop(): void {
    this.#stopping = true
    this.#ports.queue.wake()
  }

  /** Runs until `stop`. @throws the lease or the connection is lost; all pending callers have been answered */
  async run(): Promise<void> {
    const { queue, batch_max, connection } = this.#ports
    // Without requests, a lost connection would be noticed only at the next lease renewal.
    void connection.ended.then(() => queue.wake())
    while (!connection.isBroken() && (!this.#stopping || queue.length > 0)) {
      if (!this.#stopping) await queue.gather()
      const tickets = this.#refusePoisoned(queue.take(batch_max))
      if (tickets.length > 0 || this.#isDue()) await this.#carryOut(tickets)
      else if (this.#sent?.has_ended) await this.#landed()
      else if (this.#msToRenewal() <= 0) await this.#renew()
      else await this.#idle()
    }
    await this.#landed()
    if (connection.isBroken()) throw unavailable('the connection to its database ended')
  }

  /** Decides a batch while the previous one is committed, and sends it after that. */
  async #carryOut(tickets: readonly Ticket[]): Promise<void> {
    const deciding = this.#decide(tickets).then(
      (batch) => ({ batch, error: null }),
      (error: unknown) => ({ batch: null, error }),
    )
    if (!(await this.#landed(tickets, deciding))) return
    const { batch, error } = await deciding
    if (batch !== null) this.#send(batch)
    else if (error instanceof PoisonedBatch) await this.#tryAlone(tickets, error)
    else throw refused(tickets, 'its database does not answer', error)
  }

  /**
   * Waits for the batch that was sent. If it is poisoned, so is the batch decided after it, and all submissions are retried one
   * by one.
   * @param next submissions of the batch decided after it
   * @returns whether it was committed
   */
  async #landed(next: readonly Ticket[] = [], deciding: Promise<unknown> | null = null): Promise<boolean> {
    const sent = this.#sent
    this.#sent = null
    try {
      await sent?.answered
      return true
    } catch (error) {
      await deciding
      if (!(error instanceof PoisonedBatch)) throw refused(next, 'it starts again', error)
      await this.#tryAlone([...sent!.tickets, ...next], error)
      return false
    }
  }

  /** Retries the submissions of poisoned batches; only those that fail alone are refused. */
  async #tryAlone(tickets: readonly Ticket[], poison: PoisonedBatch): Promise<void> {
    this.#ports.onFault?.(poison)
    let is_stale = true
    for (const [place, ticket] of tickets.entries()) {
      try {
        if (is_stale) await this.#reload()
        is_stale = false
        await this.#commit(await this.#decide([ticket]))
      } catch (error) {
        if (!(error instanceof PoisonedBatch)) throw refused(tickets.slice(place), 'it starts again', error)
        this.#isolate(ticket, error.cause)
        is_stale = true
      }
    }
    if (is_stale) await this.#reload()
  }

  #isolate(ticket: Ticket, cause: unknown): void {
    this.#poisoned_count += 1
    this.#ports.onFault?.(new PoisonedSubmission(ticket, cause))
    const content = contentOf(ticket.submission)
    if (this.#poisoned.size >= POISONED_MAX) this.#poisoned.clear()
    if (content !== null) this.#poisoned.add(content)
    ticket.reject(internalError(cause))
  }

  /** Refuses submissions that failed alone before; they would fail again, and the state would be read again for each. */
  #refusePoisoned(tickets: readonly Ticket[]): readonly Ticket[] {
    if (this.#poisoned.size === 0) return tickets
    return tickets.filter(({ submission, reject }) => {
      const content = contentOf(submission)
      if (content === null || !this.#poisoned.has(content)) return true
      reject(internalError(new Error('the same request failed before')))
      return false
    })
  }

  async #reload(): Promise<void> {
    const { connection, core } = this.#ports
    const { state, last_batch } = await loadState(connection, core.rebuild)
    this.#state = state
    this.#last = last_batch
  }

  async #decide(tickets: readonly Ticket[]): Promise<DecidedBatch> {
    const at = Math.max(this.#state.clock + 1, this.#ports.now(), ...tickets.map(stampOf))
    const batch = await decideBatch(this.#ports, this.#state, this.#last, tickets, at)
    if (this.#last === null && batch.prepared !== null) this.#state.history = batch.prepared.row.hash.slice(0, 16)
    this.#last = batch.prepared?.row ?? this.#last
    return batch
  }

  #send(batch: DecidedBatch): void {
    const answered = this.#commit(batch).finally(() => {
      sent.has_ended = true
      if (this.#is_idle) this.#ports.queue.wake()
    })
    // The result is checked before the next batch is sent.
    answered.catch(() => undefined)
    const sent: SentBatch = { tickets: ticketsOf(batch), answered, has_ended: false }
    this.#sent = sent
  }

  async #commit(batch: DecidedBatch): Promise<void> {
    const started_ms = performance.now()
    await commitBatch(this.#ports, batch)
    const { decisions, events, engine_sequence, prepared, tally } = batch
    if (prepared !== null) this.#renewed_at = performance.now()
    this.#engine_sequence = engine_sequence
    answerBatch(batch)
    const took_ms = performance.now() - started_ms
    const is_written = prepared !== null
    this.#ports.onBatch?.({ submissions: decisions.length, events, engine_sequence, took_ms, is_written, ...tally })
  }

  async #renew(): Promise<void> {
    const { connection, lease, lease_ms } = this.#ports
    await renewLease(connection, lease, lease_ms)
    this.#renewed_at = performance.now()
  }

  /** Waits for a submission, the end of the batch that was sent, or the engine's own next task. */
  async #idle(): Promise<void> {
    this.#is_idle = true
    await this.#ports.queue.wait(this.#idleMs())
    this.#is_idle = false
  }

  #isDue(): boolean {
    const due = this.#ports.core.nextDue(this.#state)
    return due !== null && due <= this.#ports.now()
  }

  /** Renews the lease when a third of its time has passed. */
  #msToRenewal(): number {
    return this.#renewed_at + this.#ports.lease_ms / 3 - performance.now()
  }

  #idleMs(): number {
    const due = this.#ports.core.nextDue(this.#state)
    const to_due_ms = due === null ? Number.POSITIVE_INFINITY : Math.ceil((due - this.#ports.now()) / 1000)
    return Math.max(1, Math.min(this.#msToRenewal(), to_due_ms))
  }
}

/** Answers submissions that had no effect; one already answered keeps its answer. @returns the error */
function refused(tickets: readonly Ticket[], reason: string, error: unknown): unknown {
  for (const { reject } of tickets) reject(unavailable(reason, { phase: 'recovering' }, error))
  return error
}

function stampOf({ submission }: Ticket): Micros {
  return submission.kind === 'stamp' ? submission.at : 0
}
