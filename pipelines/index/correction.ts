import { canonicalJson } from '../../primitives/canonical-json.ts'
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

/** Fields that a published tick states, beside the ids of its inputs. */
const STATED = [
  'level',
  'source_cutoff_at',
  'underlying_quality_state',
  'coverage_ratio',
  'confidence',
  'link_factor',
  'missing_constituent_ids',
  'excluded_inputs',
] as const

type StatedTick = Readonly<Record<string, unknown>>

/**
 * Returns whether two observations of one tick state the same from the same evidence: an input that only confirms another one
 * stands for it, so it corrects nothing.
 * @param confirmed id of the stated input by the id of each one that only confirms it
 */
export function isSameTick(before: StatedTick, after: StatedTick, confirmed: ReadonlyMap<string, string>): boolean {
  const stated = (tick: StatedTick) => ({
    ...Object.fromEntries(STATED.map((field) => [field, tick[field] ?? null])),
    reason_codes: texts(tick.reason_codes).filter((code) => !isCorrectionReason(code)),
    inputs: texts(tick.input_observation_ids)
      .map((id) => confirmed.get(id) ?? id)
      .sort(),
  })
  return canonicalJson(stated(before)) === canonicalJson(stated(after))
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

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

/** Returns `formatBasisPoints` with the sign of the difference: beside a signed one, a bare distance reads as a rise. */
export function formatSignedBasisPoints(old_level: string | null, new_level: string | null): string | null {
  const size = formatBasisPoints(old_level, new_level)
  if (size === null || parseDecimal(size, 'basis points').isZero()) return size
  return parseDecimal(new_level, 'new level').lt(parseDecimal(old_level, 'old level')) ? `-${size}` : size
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
