import { type Decimal, formatDecimal, parseDecimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { CORRECTION_REASONS, type CorrectionReason } from '../../vocabulary/index-level.ts'
import type { Parameters } from './parameters.ts'

/** Returns whether a value is a correction reason. */
export function isCorrectionReason(value: unknown): value is CorrectionReason {
  return (CORRECTION_REASONS as readonly unknown[]).includes(value)
}

/**
 * Consequence of a corrected level for fixings, finalized candles and settlement: `official` they are restated at once;
 * `erratum` the correction is published and they remain; `committee` a recorded vote decides.
 */
export type Restatement = 'official' | 'erratum' | 'committee'

export type LevelChange = {
  readonly old_level: string | null
  readonly new_level: string | null
  /** Tick of the observation, and the instant at which its error was found. */
  readonly tick_at: Micros
  readonly detected_at: Micros
}

const BASIS_POINTS = 10_000
const BASIS_POINT_SCALE = 2

/**
 * Returns e = |new - old| / old in basis points, unrounded, from published levels; null without a ratio: a level is null or the
 * old one 0.
 */
export function basisPoints(old_level: string | null, new_level: string | null): Decimal | null {
  if (old_level === null || new_level === null) return null
  const before = parseDecimal(old_level, 'old level')
  if (before.isZero()) return null
  return parseDecimal(new_level, 'new level').minus(before).abs().div(before).times(BASIS_POINTS)
}

/** Returns the published text of `basisPoints`: 2 decimals, half even. */
export function formatBasisPoints(old_level: string | null, new_level: string | null): string | null {
  const e = basisPoints(old_level, new_level)
  return e === null ? null : formatDecimal(e, BASIS_POINT_SCALE)
}

/**
 * Decides whether a correction restates officially (methodology index-1 §13): under `restate.bp` an erratum only; at or above
 * it official when found within `restate.window` after the tick, else by vote of the committee. The unrounded e is compared;
 * the boundary restates. A level that appears or disappears, or leaves 0, has no ratio and counts as above the threshold; no
 * change at all is an erratum.
 */
export function decideRestatement(change: LevelChange, restate: Parameters['restate']): Restatement {
  if (!isMaterial(change, restate.bp)) return 'erratum'
  return change.detected_at - change.tick_at <= restate.window ? 'official' : 'committee'
}

function isMaterial({ old_level, new_level }: LevelChange, threshold: Decimal): boolean {
  if (old_level === new_level) return false
  const e = basisPoints(old_level, new_level)
  return e === null || e.gte(threshold)
}
