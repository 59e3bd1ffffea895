import type { Micros } from '../../primitives/instants.ts'
import type { Side } from '../../vocabulary/order.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import { closedIn } from '../ledger/ladder-fill.ts'
import type { AdjustmentRow, AttemptRow, SettlementTransitionRow } from './rows.ts'
import type { SettlementRead, SettlementWhole } from './settlement.ts'

/** A version of the engine's history: an event and the stamp of its batch. */
export type EventPlace = { readonly engine_sequence: number; readonly at: Micros }

/**
 * Returns a settlement as an event left it: later moves, attempts and reversals are removed, later adjustments undone.
 * Adjustments apply to whole batches, since no reader sees states inside one.
 * @param whole the settlement now or at any time since the event
 */
export function settlementAt(whole: SettlementWhole, event: EventPlace, projection_version: number): SettlementWhole {
  const transitions = whole.transitions.filter(({ engine_sequence }) => engine_sequence <= event.engine_sequence)
  const attempts = whole.attempts.flatMap((attempt) => attemptAt(attempt, transitions) ?? [])
  const reversed = whole.reversal !== null && whole.reversal.at <= event.at && lastState(transitions) === 'reversed'
  const later = whole.adjustments.filter(({ published_at }) => published_at > event.at)
  return {
    row: {
      ...amountsBefore(whole, later),
      state: lastState(transitions),
      rail: attempts.at(-1)?.rail ?? null,
      reversal_id: reversed ? whole.row.reversal_id : null,
      confirmed_at: transitions.find(({ state }) => state === 'confirmed')?.at ?? null,
      updated_at: event.at,
      engine_sequence: event.engine_sequence,
      projection_version,
    },
    transitions,
    attempts,
    reversal: reversed ? whole.reversal : null,
    adjustments: whole.adjustments.filter((row) => !later.includes(row)),
  }
}

function lastState(transitions: readonly SettlementTransitionRow[]): string {
  return transitions.at(-1)?.state ?? 'pending'
}

/** An attempt does not exist before its submission, and is open until it is concluded. */
function attemptAt(attempt: AttemptRow, transitions: readonly SettlementTransitionRow[]): AttemptRow | null {
  const moves = transitions.filter(({ attempt_id }) => attempt_id === attempt.attempt_id)
  if (moves.length === 0) return null
  if (moves.some(({ state }) => state !== 'submitted')) return attempt
  const { attempt_id, settlement_id, attempt_number, rail, submitted_at, chain_id } = attempt
  const begun = { attempt_id, settlement_id, attempt_number, rail, state: 'submitted', submitted_at, chain_id }
  return { ...begun, ...NOT_CONCLUDED }
}

const NOT_CONCLUDED = {
  concluded_at: null,
  external_reference: null,
  transaction_hash: null,
  confirmation_count: null,
  failure_code: null,
  message: null,
  retryable: null,
  next_action: null,
  rail_response_reference: null,
} as const

/** Amounts are those of the fill as adjusted, whatever the state; of a confirmed or reversed settlement, too. */
function amountsBefore(whole: SettlementWhole, undone: readonly AdjustmentRow[]): SettlementRead {
  const { row } = whole
  const sum = (field: 'quantity_delta' | 'notional_delta' | 'fee_delta') =>
    undone.reduce((so_far, adjustment) => so_far + adjustment[field], 0)
  return {
    ...row,
    quantity: row.quantity - sum('quantity_delta'),
    notional: row.notional - sum('notional_delta'),
    fee: row.fee - sum('fee_delta'),
    closed_quantity: undone.length === 0 ? row.closed_quantity : closedBefore(whole, undone),
  }
}

/** Replays what adjustments that were not undone took off the opened part first; what is taken off beyond it was closed. */
function closedBefore({ row, adjustments }: SettlementWhole, undone: readonly AdjustmentRow[]): number | null {
  if (row.closed_quantity === null) return null
  const { side, outcome_id, segments } = row
  const closed = closedIn(segments as readonly FillSegment[], side as Side, outcome_id)
  const deltas = adjustments.map(({ quantity_delta }) => quantity_delta)
  const original = deltas.reduce((left, delta) => left - delta, row.quantity)
  let [quantity, opened] = [original, original - closed]
  for (const adjustment of adjustments) {
    if (undone.includes(adjustment)) continue
    quantity += adjustment.quantity_delta
    opened = Math.max(opened + adjustment.quantity_delta, 0)
  }
  return quantity - opened
}
