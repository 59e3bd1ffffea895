import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { Changes } from '../engine/changes.ts'
import type { Facts } from '../engine/facts.ts'
import type { EngineState } from '../engine/state.ts'
import type { Answer } from '../engine/submission.ts'
import type { BatchRow, ChangedRows } from '../projections/rows.ts'
import type { EngineConnection } from '../store/engine-connection.ts'
import type { KnownKeys } from '../store/known-keys.ts'
import type { Lease } from '../store/lease.ts'
import { loadFacts } from '../store/load-facts.ts'
import { type PreparedBatch, prepareBatch } from '../store/write-batch.ts'
import { PoisonedBatch } from './batch-failure.ts'
import type { EngineCore } from './engine-core.ts'
import type { Ticket } from './submission-queue.ts'

export type DecisionPorts = {
  readonly connection: EngineConnection
  readonly core: EngineCore
  readonly known_keys: KnownKeys
  readonly lease: Lease
  readonly lease_ms: number
}

/** An answer decided in memory and sent once it is committed. */
type Decision = { readonly ticket: Ticket; readonly answer: Answer | null; readonly error: unknown }

/** Counts of a batch, for metrics. */
export type BatchTally = {
  /** Time for which deciding it held the engine. */
  readonly held_ms: number
  /** New status of each order that moved, a new one's first status included. */
  readonly order_statuses: readonly OrderStatus[]
  readonly fills: number
  /** Code of each refused submission, and of each refused order of a batch of orders. */
  readonly refusals: readonly string[]
}

export type DecidedBatch = {
  readonly decisions: readonly Decision[]
  readonly events: number
  /** Row of this batch. */
  readonly engine_sequence: number
  readonly tally: BatchTally
  /** null: nothing to write, for example after a preview or a replayed answer. */
  readonly prepared: PreparedBatch | null
}

/**
 * Applies a batch to the state, in place, and makes the statements that write it. The records it needs are requested from the
 * database behind everything sent before.
 * @param previous the previous batch; null: this is the first
 * @param at its stamp, after the state's clock
 * @throws {PoisonedBatch} the state must be discarded and reloaded
 * @throws a database error; the state is unchanged
 */
export async function decideBatch(
  ports: DecisionPorts,
  state: EngineState,
  previous: BatchRow | null,
  tickets: readonly Ticket[],
  at: Micros,
): Promise<DecidedBatch> {
  const { connection, core, known_keys } = ports
  const needs = core.needsOf(...tickets.map(({ submission }) => submission))
  const facts = await loadFacts(connection, known_keys.ask(needs), at)
  const changes = core.noChanges()
  const began_ms = performance.now()
  try {
    if (tickets.length === 0) core.apply(state, { kind: 'stamp', at }, facts, at, changes)
    const decisions = tickets.map((ticket) => decide(core, state, ticket, facts, at, changes))
    const rows = core.finish(state, at, changes)
    const is_stamped = tickets.some(({ submission }) => submission.kind === 'stamp')
    const prepared = is_stamped || !isEmpty(rows) ? prepare(ports, state, previous, rows, at) : null
    const tally = { held_ms: performance.now() - began_ms, ...tallyOf(changes, decisions) }
    return { decisions, events: rows.engine_event.length, engine_sequence: state.engine_sequence, tally, prepared }
  } catch (error) {
    throw new PoisonedBatch(error)
  }
}

function tallyOf({ events, refused_items }: Changes, decisions: readonly Decision[]): Omit<BatchTally, 'held_ms'> {
  return {
    order_statuses: events.flatMap((event) => (event.kind === 'order' ? [event.status] : [])),
    fills: events.filter(({ kind }) => kind === 'fill').length,
    refusals: [...refused_items, ...decisions.flatMap(codeOf)],
  }
}

function codeOf({ answer, error }: Decision): string[] {
  if (answer === null) return [isServiceError(error) ? error.code : 'INTERNAL_ERROR']
  return answer.error === null ? [] : [answer.error.code]
}

function decide(
  { apply }: EngineCore,
  state: EngineState,
  ticket: Ticket,
  facts: Facts,
  at: Micros,
  changes: Changes,
): Decision {
  try {
    return { ticket, answer: apply(state, ticket.submission, facts, at, changes), error: null }
  } catch (error) {
    // Any error but a refusal leaves a state that must not be used.
    if (isServiceError(error)) return { ticket, answer: null, error }
    throw error
  }
}

function prepare(
  { connection, lease, lease_ms }: DecisionPorts,
  state: EngineState,
  previous: BatchRow | null,
  rows: ChangedRows,
  at: Micros,
): PreparedBatch {
  const { engine_sequence: last_engine_sequence, ledger_sequence: last_ledger_sequence } = state
  const sequences = { last_engine_sequence, last_ledger_sequence }
  return prepareBatch(connection, { epoch: lease.epoch, lease_ms, at, previous, rows, ...sequences })
}

function isEmpty(rows: ChangedRows): boolean {
  return Object.values(rows).every(({ length }) => length === 0)
}
