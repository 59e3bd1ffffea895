import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { EngineState } from '../engine/state.ts'
import type { Answer } from '../engine/submission.ts'
import type { BatchRow, ChangedRows } from '../projections/rows.ts'
import type { EngineConnection } from '../store/engine-connection.ts'
import type { KnownKeys } from '../store/known-keys.ts'
import { type Lease, renewLease } from '../store/lease.ts'
import { loadFacts } from '../store/load-facts.ts'
import { loadState } from '../store/load-state.ts'
import { writeBatch } from '../store/write-batch.ts'
import { answerFailed, internalError, isRefusedData, PoisonedBatch } from './batch-failure.ts'
import type { EngineCore } from './engine-core.ts'
import type { KillPoint } from './kill-point.ts'
import { type SubmissionQueue, type Ticket, unavailable } from './submission-queue.ts'

/** What was committed: for metrics. */
export type CommittedBatch = {
  readonly submissions: number
  readonly events: number
  readonly engine_sequence: number
  readonly took_ms: number
}

export type LeaderPorts = {
  readonly connection: EngineConnection
  readonly lease: Lease
  readonly lease_ms: number
  readonly core: EngineCore
  readonly queue: SubmissionQueue
  readonly known_keys: KnownKeys
  /** Wall clock. */
  readonly now: () => Micros
  /** null: no test wants this process to end somewhere. */
  readonly reach: KillPoint | null
  readonly batch_max: number
  readonly onBatch?: ((batch: CommittedBatch) => void) | undefined
  readonly onFault?: ((error: unknown) => void) | undefined
}

const RECOVERING = { phase: 'recovering' } as const

/** An outcome decided in memory, told once it is committed. */
type Decision = { readonly ticket: Ticket; readonly answer: Answer | null; readonly error: unknown }

/**
 * One time of leadership: state in memory, batch after batch. A batch is everything that waits; it is applied, written in one
 * transaction, and answered only after the commit, while the next one gathers. Where many ask, few at a time, it gathers a moment more.
 */
export class Leader {
  readonly #ports: LeaderPorts
  #state: EngineState
  #last: BatchRow | null
  #renewed_at = performance.now()
  #stopping = false

  private constructor(ports: LeaderPorts, state: EngineState, last: BatchRow | null) {
    this.#ports = ports
    this.#state = state
    this.#last = last
  }

  /** Reads the state of a lease that was just taken. */
  static async load(ports: LeaderPorts): Promise<Leader> {
    const { state, last_batch } = await loadState(ports.connection, ports.core.rebuild)
    return new Leader(ports, state, last_batch)
  }

  get engine_sequence(): number {
    return this.#state.engine_sequence
  }

  /** What is in memory; to be compared with what a reload gives. */
  get state(): EngineState {
    return this.#state
  }

  stop(): void {
    this.#stopping = true
    this.#ports.queue.wake()
  }

  /** Until `stop`. @throws where the lease or the connection is lost: whoever was under way has been answered */
  async run(): Promise<void> {
    const { queue, batch_max } = this.#ports
    while (!this.#stopping || queue.length > 0) {
      if (!this.#stopping) await queue.gather()
      const tickets = queue.take(batch_max)
      if (tickets.length > 0 || this.#isDue()) await this.#carryOut(tickets)
      else if (this.#msToRenewal() <= 0) await this.#renew()
      else await queue.wait(this.#idleMs())
    }
  }

  /** A batch that poisons itself is tried again submission by submission: only those that fail alone are told so. */
  async #carryOut(tickets: readonly Ticket[]): Promise<void> {
    try {
      await this.#commitBatch(tickets)
    } catch (error) {
      if (!(error instanceof PoisonedBatch)) throw error
      this.#ports.onFault?.(error)
      await this.#isolate(tickets)
    }
  }

  async #isolate(tickets: readonly Ticket[]): Promise<void> {
    for (const [place, ticket] of tickets.entries()) {
      try {
        if (place === 0) await this.#reload()
        await this.#commitBatch([ticket])
      } catch (error) {
        if (!(error instanceof PoisonedBatch)) {
          for (const { reject } of tickets.slice(place + 1)) reject(unavailable('it starts again', RECOVERING, error))
          throw error
        }
        ticket.reject(internalError(error.cause))
        await this.#reload()
      }
    }
  }

  async #reload(): Promise<void> {
    const { connection, core } = this.#ports
    const { state, last_batch } = await loadState(connection, core.rebuild)
    this.#state = state
    this.#last = last_batch
  }

  async #commitBatch(tickets: readonly Ticket[]): Promise<void> {
    const started = performance.now()
    const at = Math.max(this.#state.clock + 1, this.#ports.now(), ...tickets.map(stampOf))
    const { decisions, rows } = await this.#decide(tickets, at)
    if (!isEmpty(rows) || tickets.some(({ submission }) => submission.kind === 'stamp')) {
      await this.#write(tickets, rows, at)
      await this.#ports.reach?.('after-commit-before-ack')
    }
    for (const { ticket, answer, error } of decisions) {
      if (answer === null) ticket.reject(internalError(error))
      else ticket.resolve(answer)
    }
    const { engine_sequence } = this.#state
    const [submissions, events] = [tickets.length, rows.engine_event.length]
    this.#ports.onBatch?.({ submissions, events, engine_sequence, took_ms: performance.now() - started })
  }

  async #decide(tickets: readonly Ticket[], at: Micros): Promise<{ decisions: Decision[]; rows: ChangedRows }> {
    const { core, connection, known_keys } = this.#ports
    const submissions = tickets.map(({ submission }) => submission)
    const needs = known_keys.ask(core.needsOf(...submissions))
    const facts = await loadFacts(connection, needs, at).catch((error: unknown) => {
      for (const { reject } of tickets) reject(unavailable('its database does not answer', RECOVERING, error))
      throw error
    })
    const changes = core.noChanges()
    try {
      if (tickets.length === 0) core.apply(this.#state, { kind: 'stamp', at }, facts, at, changes)
      const decisions = tickets.map((ticket): Decision => {
        try {
          const answer = core.apply(this.#state, ticket.submission, facts, at, changes)
          return { ticket, answer, error: null }
        } catch (error) {
          // Anything else than a refusal leaves a state that nobody may build on.
          if (isServiceError(error)) return { ticket, answer: null, error }
          throw error
        }
      })
      return { decisions, rows: core.finish(this.#state, at, changes) }
    } catch (error) {
      throw new PoisonedBatch(error)
    }
  }

  async #write(tickets: readonly Ticket[], rows: ChangedRows, at: Micros): Promise<void> {
    const { connection, lease, lease_ms, reach } = this.#ports
    const { engine_sequence: last_engine_sequence, ledger_sequence: last_ledger_sequence } = this.#state
    const sequences = { last_engine_sequence, last_ledger_sequence }
    const batch = { epoch: lease.epoch, lease_ms, at, previous: this.#last, rows, ...sequences }
    try {
      this.#last = await writeBatch(connection, batch, reach)
      this.#renewed_at = performance.now()
    } catch (error) {
      if (isRefusedData(error)) throw new PoisonedBatch(error)
      answerFailed(tickets, error)
      throw error
    }
  }

  async #renew(): Promise<void> {
    const { connection, lease, lease_ms } = this.#ports
    await renewLease(connection, lease, lease_ms)
    this.#renewed_at = performance.now()
  }

  #isDue(): boolean {
    const due = this.#ports.core.nextDue(this.#state)
    return due !== null && due <= this.#ports.now()
  }

  /** Renewed when a third of its time has passed. */
  #msToRenewal(): number {
    return this.#renewed_at + this.#ports.lease_ms / 3 - performance.now()
  }

  #idleMs(): number {
    const due = this.#ports.core.nextDue(this.#state)
    const to_due_ms = due === null ? Number.POSITIVE_INFINITY : Math.ceil((due - this.#ports.now()) / 1000)
    return Math.max(1, Math.min(this.#msToRenewal(), to_due_ms))
  }
}

function stampOf({ submission }: Ticket): Micros {
  return submission.kind === 'stamp' ? submission.at : 0
}

/** A preview, say, or a replayed answer: there is nothing to write. */
function isEmpty(rows: ChangedRows): boolean {
  return Object.values(rows).every(({ length }) => length === 0)
}
