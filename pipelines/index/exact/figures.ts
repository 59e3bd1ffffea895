import type { IndexGate } from '../calculate.ts'
import { isIndicative } from '../quality.ts'
import type { ExactInput } from './exact-input.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { type Numerator, type NumeratorPath, newNumerator } from './numerator.ts'
import { CLASS, isFallbackRule, STATE } from './units.ts'

/**
 * Sums behind one tick (methodology index-1 §9, 12) in whole weights and counts. Adding and removing an input are exact, so
 * only changed inputs are updated.
 */
export class Figures {
  readonly numerator: Numerator
  /** Weight of U; of settled + fresh in U; on M5, M6, M7 and frozen. */
  used = 0
  covered = 0
  fallback = 0
  /** Number of constituents without x; settled or fresh; dispersed; holding the state at indicative. */
  missing = 0
  live = 0
  dispersed = 0
  indicative = 0

  constructor(path: NumeratorPath) {
    this.numerator = newNumerator(path)
  }

  /** Adds an input of weight w. */
  add(input: ExactInput, w: number): void {
    if (input.x !== null) this.numerator.add(w, input.x)
    this.#count(input, w, 1)
  }

  /** Removes an input of weight w. */
  remove(input: ExactInput, w: number): void {
    if (input.x !== null) this.numerator.remove(w, input.x)
    this.#count(input, w, -1)
  }

  #count(input: ExactInput, w: number, sign: 1 | -1): void {
    const live = input.freshness <= CLASS.fresh
    if (input.x === null) this.missing += sign
    else this.used += sign * w
    if (live) this.live += sign
    if (live && input.x !== null) this.covered += sign * w
    if (isFallbackRule(input.rule)) this.fallback += sign * w
    if (input.reasons.includes('VENUE_DISPERSION')) this.dispersed += sign
    const { provisional, pending, reasons } = input
    const settled = input.freshness === CLASS.settled
    if (isIndicative({ provisional, pending, settled, reasons })) this.indicative += sign
  }
}

/** Figures that decide a state. */
export type StateFigures = Pick<
  Figures,
  'used' | 'covered' | 'fallback' | 'missing' | 'live' | 'dispersed' | 'indicative'
>

/** Decides the state, Q1..Q5 of methodology index-1 §12, by code: the first row that is true. */
export function decideState(
  figures: StateFigures,
  p: IntegerParameters,
  gate: IndexGate,
  confidence_is_low: boolean,
): number {
  if (gate.halted || figures.used < p.usable_min) return STATE.suspended
  if (figures.live === 0) return STATE.stale
  const degraded = figures.covered < p.coverage_min || figures.missing > 0 || figures.dispersed > 0
  if (degraded || figures.fallback > p.fallback_max) return STATE.degraded
  if (gate.scheduled || figures.indicative > 0 || confidence_is_low) return STATE.indicative
  return STATE.valid
}

/** Returns whether a tick would have a level: enough usable weight, and something fresh or settled. */
export function isPriced(figures: StateFigures, p: IntegerParameters): boolean {
  return figures.used > 0 && figures.used >= p.usable_min && figures.live > 0
}
