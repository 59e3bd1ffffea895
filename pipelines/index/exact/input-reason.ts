import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import { INPUT_REASONS, type InputReasonCode } from '../../../vocabulary/index-level.ts'
import type { Leg } from '../version.ts'
import type { ExactLeg } from './exact-leg.ts'
import { rowAt } from './quote-feed.ts'
import { confirmedAt } from './quote-mark.ts'
import { NONE } from './units.ts'

/** Why an input has no value at a tick, and the newest instant at which its source still stated one; null: none is known. */
export type MissingCause = { readonly code: InputReasonCode; readonly known_at: Micros | null }

/** Leg that a reason is about, and why it has no mark or is kept out. */
type LegReason = Pick<Leg, 'venue_id' | 'source_market_id' | 'outcome'> & {
  readonly reason_code: string
  readonly known_at: Instant | null
}

/** Reason of one missing, partial or excluded input, in a code and in words. */
export type InputReason = {
  readonly constituent_id: string
  readonly state: 'missing' | 'partial' | 'excluded'
  readonly reason_code: string
  readonly reason: string
  readonly known_at: Instant | null
  /** Legs without a mark of a missing or partial input, or the leg that is kept out. */
  readonly legs: readonly LegReason[]
}

/** A leg and the cause that it has no mark or is kept out. */
export type LegCause = { readonly leg: Leg; readonly code: string; readonly known_at: Micros | null }

/** Returns the reason of an input as an answer shows it. */
export function inputReason(
  constituent_id: string,
  state: InputReason['state'],
  code: string,
  known_at: Micros | null,
  causes: readonly LegCause[] = [],
): InputReason {
  const reason = INPUT_REASONS[code as InputReasonCode] ?? code
  return {
    ...{ constituent_id, state, reason_code: code, reason, known_at: instantOf(known_at) },
    legs: causes.map(({ leg: { venue_id, source_market_id, outcome }, code: reason_code, known_at: at }) => ({
      ...{ venue_id, source_market_id, outcome, reason_code, known_at: instantOf(at) },
    })),
  }
}

function instantOf(at: Micros | null): Instant | null {
  return at === null ? null : formatMicros(at)
}

/** Returns why a leg has no mark; null: it has one. */
export function legCause(leg: ExactLeg, cutoff: Micros): MissingCause | null {
  return leg.mark.rule === NONE ? missingCause(leg, cutoff) : null
}

/** Returns why a leg has no mark at the cutoff that it was evaluated at. */
function missingCause(leg: ExactLeg, cutoff: Micros): MissingCause {
  const { history, own_ordinal } = leg
  const { own } = leg.source
  const quoted_at = own_ordinal < 0 ? null : confirmedAt(own, rowAt(own, own_ordinal), cutoff)
  const known_at = history.is_empty ? quoted_at : history.newest.confirmed_at
  if (leg.phase.kind === 'frozen') return { code: 'FROZEN_WITHOUT_MARK', known_at }
  if (leg.pending) return { code: 'OUTLIER_PENDING', known_at: leg.raw.confirmed_at }
  if (!history.is_empty) return { code: 'CARRY_EXPIRED', known_at }
  return { code: own_ordinal < 0 && leg.other_ordinal < 0 ? 'NO_OBSERVATION' : 'NO_USABLE_VALUE', known_at }
}
